import type { EntityEdit } from './entity-edits.ts'

/** What edits change that something else may depend on. */
export type EditImpact = {
  /** The entity's own fields, as its name. */
  entity: boolean
  /** Uids of changed attributes and foreign keys, without added and removed ones. */
  columns: ReadonlySet<string>
  /** Anything at all, including scopes and added or removed columns. */
  any: boolean
}

/** Fields that neither tables nor an API nor references depend on. */
const ofNoEffect: ReadonlySet<string> = new Set([
  'copiedFrom',
  'description',
  'referenceImportPaths',
  'traitReference',
  'traits',
])

/** Works without the edited content, so that nothing is read for edits without impact. */
export function impactOfEdits(edits: readonly EntityEdit[]): EditImpact {
  const columns = new Set<string>()
  let [entity, others] = [false, false]
  for (const edit of edits) {
    switch (edit.kind) {
      case 'changeEntity':
        entity ||= hasEffect(edit.change)
        break
      case 'changeAttributes':
      case 'changeRelationships':
        for (const { uid, change } of edit.changes) if (hasEffect(change)) columns.add(uid)
        break
      case 'addAttributes':
      case 'addRelationships':
        // Records and callers that exist have no value for it.
        others ||= edit.added.some(({ item }) => !item.nullable)
        break
      case 'changeScopes':
      case 'removeAttributes':
      case 'removeRelationships':
        others = true
        break
      case 'moveColumns':
        break
    }
  }
  return { entity, columns, any: entity || others || columns.size > 0 }
}

function hasEffect(change: object): boolean {
  return Object.keys(change).some(field => !ofNoEffect.has(field))
}
