import { grouped } from './grouped.ts'
import { visibleText } from './visible-text.ts'

/** What settings do not do although they seem to. */
export const configurationWarningTexts = {
  sotEmpty: 'Source of Truth is on, but no entity is chosen: nothing is recorded. Choose entities, or switch it off.',
  securityUnused: 'A security is chosen, but no API type: there is nothing to protect. Choose an API type.',
  rbacUnused: 'RBAC is on, but the security is None: no caller is asked for a scope. Choose a security.',
  unscoped: (count: number) =>
    `${count === 1 ? '1 operation asks' : `${grouped(count)} operations ask`} for no scope: every caller who is signed in, whatever their scopes, may use ${count === 1 ? 'it' : 'them'}. Give the entities' operations scopes.`,
  exclusionScoped: (labels: readonly string[]) => {
    const named = labels.slice(0, 3).map(label => visibleText(label))
    const more = labels.length > 3 ? ` and ${grouped(labels.length - 3)} more` : ''
    return labels.length === 1
      ? `${named.join('')} is excluded, but still has scopes: they have no effect.`
      : `${named.join(', ')}${more} are excluded, but still have scopes: they have no effect.`
  },
} as const
