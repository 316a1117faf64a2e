-- SPDX-License-Identifier: GPL-3.0-or-later
local status = obj.status or {}
if status.observedGeneration ~= nil and status.observedGeneration ~= obj.metadata.generation then
  return {status = "Progressing", message = "Waiting for the operator to see the change"}
end
for _, condition in ipairs(status.conditions or {}) do
  if condition.type == "Degraded" and condition.status == "True" then
    return {status = "Degraded", message = condition.message or ""}
  end
end
if status.phase == "Deployed" then
  return {status = "Healthy", message = status.phase}
end
return {status = "Progressing", message = status.phase or "Waiting for the operator"}
