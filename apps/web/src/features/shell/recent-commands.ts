import { ownSettings, storeOwnSettings } from '../../api/own-settings.ts'
import { currentScope, scopeText } from '../../api/scope.ts'

const maxRecent = 10

/** Ids of the commands that the user has run from the palette in the current scope, the last one first. */
export function recentCommands(): readonly string[] {
  const stored = ownSettings('commands')[scopeText(currentScope())]
  return Array.isArray(stored) ? stored.filter(id => typeof id === 'string').slice(0, maxRecent) : []
}

export function recordCommand(id: string): void {
  const others = recentCommands().filter(other => other !== id)
  storeOwnSettings('commands', { [scopeText(currentScope())]: [id, ...others].slice(0, maxRecent) })
}
