-- SPDX-License-Identifier: GPL-3.0-or-later
-- Phase Ready (an external cluster: Connected) and HEALTH_OK. HEALTH_WARN is normal while a cluster forms, so it is
-- Progressing; built in it would be Degraded. The role writes the clusters for which it is good enough into the table.
local accepts_health_warn = {}
local status = obj.status or {}
if status.observedGeneration ~= nil and status.observedGeneration ~= obj.metadata.generation then
  return {status = "Progressing", message = "Waiting for the operator to see the change"}
end

local ceph = status.ceph or {}
local messages = {}
for _, detail in pairs(ceph.details or {}) do
  if detail.message ~= nil then table.insert(messages, detail.message) end
end
table.sort(messages)
local message = (ceph.health or status.phase or "Waiting for the operator") .. (#messages > 0 and ": " or "")
  .. table.concat(messages, "; ")

if status.phase == "Failure" or status.state == "Error" then
  return {status = "Degraded", message = status.message or message}
end
if ceph.health == "HEALTH_ERR" then
  return {status = "Degraded", message = message}
end
if status.phase ~= "Ready" and status.phase ~= "Connected" then
  return {status = "Progressing", message = status.message or message}
end
if ceph.health == "HEALTH_OK" then
  return {status = "Healthy", message = message}
end
if ceph.health == "HEALTH_WARN" and accepts_health_warn[obj.metadata.namespace .. "/" .. obj.metadata.name] then
  return {status = "Healthy", message = "Accepted " .. message}
end
return {status = "Progressing", message = message}
