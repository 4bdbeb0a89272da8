import type { EntityContent } from '@cadmus/model/entity'
import { isEqual } from '@cadmus/model/equal'

/** What the audit says of a change, in one line: what was renamed, added, changed and removed, by name. */
export function describeChange(before: EntityContent, after: EntityContent): string {
  const isMoved = !isEqual(orderOf(before), orderOf(after))
  const columns = columnChanges(before, after)
  const sentences = [
    before.name === after.name ? '' : `renamed ${before.name} to ${after.name}`,
    before.description === after.description ? '' : 'changed the description',
    extendsChange(before, after),
    ...columns,
    isMoved && columns.length === 0 ? 'changed the order' : '',
    isEqual(before.operationScopes, after.operationScopes) ? '' : 'changed the operation scopes',
    isEqual(before.referenceImportPaths, after.referenceImportPaths) ? '' : 'changed the imports',
  ].filter(sentence => sentence !== '')
  return `Updated entity ${after.name}: ${sentences.join('; ') || 'changed the content'}.`
}

type Column = { uid: string; name: string; value: unknown }

function columnChanges(before: EntityContent, after: EntityContent): string[] {
  const old = new Map(columnsOf(before).map(column => [column.uid, column]))
  const now = new Map(columnsOf(after).map(column => [column.uid, column]))
  const both = [...now.values()].flatMap(column => {
    const was = old.get(column.uid)
    return was ? [{ was, column }] : []
  })
  return [
    listed('added', [...now.values()].filter(({ uid }) => !old.has(uid)).map(named)),
    listed('removed', [...old.values()].filter(({ uid }) => !now.has(uid)).map(named)),
    listed(
      'renamed',
      both
        .filter(({ was, column }) => was.name !== column.name)
        .map(({ was, column }) => `${was.name} to ${column.name}`),
    ),
    listed(
      'changed',
      both
        .filter(({ was, column }) => was.name === column.name && !isEqual(was.value, column.value))
        .map(({ column }) => column.name),
    ),
  ].filter(text => text !== '')
}

/** A long list is cut: the contents beside the entry have it whole. */
function listed(verb: string, names: readonly string[]): string {
  if (names.length === 0) return ''
  const shown = names.slice(0, 10).join(', ')
  return names.length > 10 ? `${verb} ${shown} and ${names.length - 10} more` : `${verb} ${shown}`
}

function extendsChange(before: EntityContent, after: EntityContent): string {
  const [was, is] = [before.extendsEntity, after.extendsEntity]
  if (was?.id === is?.id) return ''
  return is ? `extends ${is.name}` : `no longer extends ${was?.name ?? ''}`
}

function named({ name }: Column): string {
  return name
}

function columnsOf({ typeAttributes, entityAttributes }: EntityContent): Column[] {
  return [
    ...typeAttributes.map(item => ({ uid: item.uid, name: item.name, value: { ...item, position: 0 } })),
    ...entityAttributes.map(item => ({
      uid: item.uid,
      name: item.foreignKeyTypeAttribute,
      value: {
        ...item,
        position: 0,
        // Under another name or path a target is still the same.
        associatedEntity: item.associatedEntity.id,
        alternativeTargets: item.alternativeTargets.map(({ entity, attribute }) => [entity.id, attribute]),
      },
    })),
  ]
}

function orderOf({ typeAttributes, entityAttributes }: EntityContent): string[] {
  return [...typeAttributes, ...entityAttributes].toSorted((a, b) => a.position - b.position).map(item => item.uid)
}
