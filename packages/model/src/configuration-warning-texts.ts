import { formatCount } from './format-count.ts'
import { visibleText } from './visible-text.ts'

/** Texts about settings without the expected effect. */
export const configurationWarningTexts = {
  sotEmpty: 'Source of Truth is on, but no entity is selected: nothing is recorded. Select entities, or turn it off.',
  securityUnused: 'A security setting is selected, but no API type: nothing is protected. Select an API type.',
  rbacUnused: 'RBAC is on, but Security is None: scopes are not checked. Select a security setting.',
  unscoped: (count: number) =>
    `${count === 1 ? '1 operation requires' : `${formatCount(count)} operations require`} no scope: every authenticated caller may use ${count === 1 ? 'it' : 'them'}. Assign scopes to the entities' operations.`,
  exclusionScoped: (labels: readonly string[]) => {
    const named = labels.slice(0, 3).map(label => visibleText(label))
    const more = labels.length > 3 ? ` and ${formatCount(labels.length - 3)} more` : ''
    return labels.length === 1
      ? `${named.join('')} is excluded: its scopes have no effect.`
      : `${named.join(', ')}${more} are excluded: their scopes have no effect.`
  },
} as const
