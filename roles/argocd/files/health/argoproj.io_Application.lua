-- SPDX-License-Identifier: GPL-3.0-or-later
-- Argo CD dropped the health of nested Applications in 1.8. Health alone would be too little: an Application that is
-- out of sync, is being synced or was compared with an older specification says nothing about what is wanted now.
local status = obj.status or {}
local operation = status.operationState or {}
local sync = status.sync or {}
local health = (status.health or {}).status

if obj.operation ~= nil or operation.phase == "Running" or operation.phase == "Terminating" then
  return {status = "Progressing", message = "Syncing: " .. (operation.message or "requested")}
end
if operation.phase == "Failed" or operation.phase == "Error" then
  return {status = "Degraded", message = "Sync failed: " .. (operation.message or "no reason given")}
end
for _, condition in ipairs(status.conditions or {}) do
  if condition.type == "ComparisonError" or condition.type == "InvalidSpecError" or condition.type == "SyncError"
    or condition.type == "UnknownError" then
    return {status = "Degraded", message = condition.type .. ": " .. (condition.message or "")}
  end
end

local wanted, compared = obj.spec.source, (sync.comparedTo or {}).source
if wanted ~= nil and compared ~= nil and (wanted.targetRevision ~= compared.targetRevision
  or wanted.repoURL ~= compared.repoURL or wanted.path ~= compared.path) then
  return {status = "Progressing", message = "Waiting for a comparison with the current specification"}
end

if health == nil or (health == "Missing" and operation.phase == nil) then
  return {status = "Progressing", message = "Not deployed yet"}
end
if health == "Missing" then
  return {status = "Degraded", message = "Its resources are missing"}
end
if health == "Healthy" and sync.status ~= "Synced" then
  return {status = "Progressing", message = "Healthy, but " .. (sync.status or "not compared yet")}
end
return {status = health, message = (status.health or {}).message or ""}
