import { apiOperations, requirementOf, settingsKind } from '../required-scopes.ts'
import type { Api } from './api.ts'

/** How many operations an API serves, how many of them require no scope, and how it treats callers; `openSum` has it in words. */
export function openOperations({ protocols, security, entities }: Api) {
  const isServed = protocols.length > 0
  const served = isServed
    ? entities.flatMap(entity => apiOperations.flatMap(name => entity.operations[name] ?? []))
    : []
  const open = served.filter(({ scopes }) => requirementOf(security, scopes).kind !== 'scopes')
  return { served: served.length, open: open.length, settings: settingsKind({ isServed, rules: security }) }
}
