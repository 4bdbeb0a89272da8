import { type Change, compareEntities } from '@cadmus/model/compare'
import type { EntityContent } from '@cadmus/model/entity'

/** What the audit says of a change, in one line: what was renamed, added, changed and removed, by name. */
export function describeChange(before: EntityContent, after: EntityContent): string {
  const changes = compareEntities(before, after)
  const parts = [...ownParts(changes), ...columnParts(changes)]
  return `Updated entity ${after.name}: ${parts.join('; ') || 'changed the content'}.`
}

function ownParts(changes: readonly Change[]): string[] {
  const own = changes.flatMap(change => {
    if (!('before' in change) || change.step !== null) return []
    if (change.kind === 'renamed') return [`renamed ${change.before} to ${change.after}`]
    return [`changed ${fieldNames[change.field] ?? change.field}`]
  })
  return [...new Set(own)]
}

const fieldNames: Readonly<Record<string, string>> = {
  description: 'the description',
  extendsEntity: 'the extended entity',
  referenceImportPaths: 'the imports',
  traits: 'the traits',
  type: 'the type',
  selectOperationScopes: 'the operation scopes',
  selectAllOperationScopes: 'the operation scopes',
  deleteOperationScopes: 'the operation scopes',
  insertOperationScopes: 'the operation scopes',
  updateOperationScopes: 'the operation scopes',
}

function columnParts(changes: readonly Change[]): string[] {
  const named = (kind: Change['kind']) =>
    changes.flatMap(change => (change.kind === kind && change.step ? [change.step.name] : []))
  const renamed = changes.flatMap(change =>
    change.kind === 'renamed' && change.step ? [`${change.before} to ${change.after}`] : [],
  )
  return [
    ...listed('added', named('added')),
    ...listed('removed', named('removed')),
    ...listed('renamed', renamed),
    ...listed('changed', [...named('changed'), ...named('converted')]),
    ...listed('moved', named('moved')),
  ]
}

/** A long list is cut: the contents beside the entry have it whole. */
function listed(verb: string, all: readonly string[]): string[] {
  const names = [...new Set(all)]
  if (names.length === 0) return []
  const shown = names.slice(0, 10).join(', ')
  return [names.length > 10 ? `${verb} ${shown} and ${names.length - 10} more` : `${verb} ${shown}`]
}
