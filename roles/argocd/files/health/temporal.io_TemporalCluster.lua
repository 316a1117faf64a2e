-- SPDX-License-Identifier: GPL-3.0-or-later
-- The frontend is what everything else of Temporal, and every client, talks to.
local status = obj.status or {}
if status.observedGeneration ~= nil and status.observedGeneration ~= obj.metadata.generation then
  return {status = "Progressing", message = "Waiting for the operator to see the change"}
end
local frontend_ready = false
for _, service in ipairs(status.services or {}) do
  if service.name == "frontend" and service.ready then frontend_ready = true end
end
for _, condition in ipairs(status.conditions or {}) do
  if condition.observedGeneration ~= nil and condition.observedGeneration ~= obj.metadata.generation then
    return {status = "Progressing", message = "Waiting for the operator to see the change"}
  end
  if condition.type == "ReconcileError" and condition.status == "True" then
    return {status = "Degraded", message = condition.message or condition.reason or ""}
  end
  if condition.type == "Ready" and condition.status == "False" and condition.reason == "Failed" then
    return {status = "Degraded", message = condition.message or ""}
  end
  if condition.type == "Ready" and condition.status == "True" and frontend_ready then
    return {status = "Healthy", message = "Frontend is ready"}
  end
end
return {status = "Progressing", message = frontend_ready and "Waiting for the other services" or "Frontend is not ready"}
