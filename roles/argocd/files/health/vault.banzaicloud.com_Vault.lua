-- SPDX-License-Identifier: GPL-3.0-or-later
-- Initialised, unsealed and with an active node. The operator lists the nodes that are initialised and unsealed, and
-- names the active one as leader. (Vault from its own chart is a StatefulSet: sealed pods are not ready.)
local status = obj.status or {}
if status.observedGeneration ~= nil and status.observedGeneration ~= obj.metadata.generation then
  return {status = "Progressing", message = "Waiting for the operator to see the change"}
end
for _, condition in ipairs(status.conditions or {}) do
  if condition.type == "Healthy" and condition.status ~= "True" then
    return {status = "Degraded", message = condition.error or condition.message or condition.reason or "Not healthy"}
  end
end
local unsealed = #(status.nodes or {})
if status.leader == nil or status.leader == "" then
  return {status = "Progressing", message = "No active node yet"}
end
if unsealed < (obj.spec.size or 1) then
  return {status = "Progressing", message = "Not all nodes are unsealed"}
end
return {status = "Healthy", message = "Active node " .. status.leader}
