-- SPDX-License-Identifier: GPL-3.0-or-later
local status = obj.status or {}
if status.observedGeneration ~= nil and status.observedGeneration ~= obj.metadata.generation then
  return {status = "Progressing", message = "Waiting for the operator to see the change"}
end
local message = "Waiting for the policy to be ready"
for _, condition in ipairs(status.conditions or {}) do
  if condition.type == "Ready" then
    if condition.status == "True" then
      return {status = "Healthy", message = condition.message or ""}
    end
    if condition.reason == "Failed" then
      return {status = "Degraded", message = condition.message or "Failed"}
    end
    message = condition.message or message
  end
end
return {status = "Progressing", message = message}
