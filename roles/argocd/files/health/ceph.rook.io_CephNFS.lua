-- SPDX-License-Identifier: GPL-3.0-or-later
local status = obj.status or {}
if status.observedGeneration ~= nil and status.observedGeneration ~= obj.metadata.generation then
  return {status = "Progressing", message = "Waiting for the operator to see the change"}
end
if status.phase == "Ready" or status.phase == "Connected" then
  return {status = "Healthy", message = status.phase}
end
if status.phase == "Failure" or status.phase == "ReconcileFailed" then
  return {status = "Degraded", message = status.phase}
end
return {status = "Progressing", message = status.phase or "Waiting for the operator"}
