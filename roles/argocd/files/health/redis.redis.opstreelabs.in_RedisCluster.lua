-- SPDX-License-Identifier: GPL-3.0-or-later
local status = obj.status or {}
if status.observedGeneration ~= nil and status.observedGeneration ~= obj.metadata.generation then
  return {status = "Progressing", message = "Waiting for the operator to see the change"}
end
if status.state == "Ready" then
  return {status = "Healthy", message = status.reason or ""}
end
if status.state == "Failed" then
  return {status = "Degraded", message = status.reason or "Failed"}
end
return {status = "Progressing", message = status.reason or "Waiting for the operator"}
