-- SPDX-License-Identifier: GPL-3.0-or-later
local status = obj.status or {}
if status.observedGeneration ~= nil and status.observedGeneration ~= obj.metadata.generation then
  return {status = "Progressing", message = "Waiting for the operator to see the change"}
end
local message = "Waiting for the import"
for _, condition in ipairs(status.conditions or {}) do
  if condition.type == "HasErrors" and condition.status == "True" then
    return {status = "Degraded", message = condition.message or ""}
  end
end
for _, condition in ipairs(status.conditions or {}) do
  if condition.type == "Done" and condition.status == "True" then
    return {status = "Healthy", message = condition.message or ""}
  end
  if condition.type == "Started" and condition.status == "True" then
    message = condition.message or "Importing"
  end
end
return {status = "Progressing", message = message}
