-- SPDX-License-Identifier: GPL-3.0-or-later
-- Running, with as many instances as wanted. Operators before 1.14 do not count them.
local status = obj.status or {}
if status.observedGeneration ~= nil and status.observedGeneration ~= obj.metadata.generation then
  return {status = "Progressing", message = "Waiting for the operator to see the change"}
end
local phase = status.PostgresClusterStatus
if phase == nil then
  return {status = "Progressing", message = "Waiting for the operator"}
end
if phase == "Creating" or phase == "Updating" then
  return {status = "Progressing", message = phase}
end
if phase ~= "Running" then
  return {status = "Degraded", message = phase}
end
local ready, wanted = status.numberOfInstances, obj.spec.numberOfInstances
if ready ~= nil and wanted ~= nil and ready < wanted then
  return {status = "Progressing", message = "Fewer instances than wanted"}
end
return {status = "Healthy", message = phase}
