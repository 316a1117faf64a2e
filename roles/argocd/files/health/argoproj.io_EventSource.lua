-- SPDX-License-Identifier: GPL-3.0-or-later
-- Argo Events sets Deployed when it has written the Deployment; whether its pods run is the Deployment's own health.
local status = obj.status or {}
if status.observedGeneration ~= nil and status.observedGeneration ~= obj.metadata.generation then
  return {status = "Progressing", message = "Waiting for the operator to see the change"}
end
local conditions = status.conditions or {}
for _, condition in ipairs(conditions) do
  if condition.status == "False" then
    return {status = "Degraded", message = condition.type .. ": " .. (condition.message or condition.reason or "")}
  end
  if condition.status == "Unknown" then
    return {status = "Progressing", message = condition.type .. " is not known yet"}
  end
end
if #conditions == 0 then
  return {status = "Progressing", message = "Waiting for the controller"}
end
return {status = "Healthy", message = ""}
