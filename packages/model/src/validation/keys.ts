import type { EntityNode } from '../entity.ts'
import { twoKeysOf } from '../one-key.ts'
import type { Problem } from '../problem.ts'
import { keyDataType } from '../rules/key-data-type.ts'
import { error, warning, type Subject } from './subject.ts'
import { texts } from './texts.ts'

/** Primary keys are integers or strings. */
export function keyTypes(entity: EntityNode, subject: Subject): Problem[] {
  return subject
    .declaredBy(entity)
    .filter(attribute => keyDataType(attribute.dataType, { isKey: attribute.isPrimaryKey }) !== undefined)
    .map(({ name, dataType, ...rest }) =>
      error('keyType', texts.keyType(entity.name, name, dataType), subject.pathTo(entity, { name, dataType, ...rest })),
    )
}

/** An own key in addition to an inherited one, as in entities older than the rule. */
export function secondKey(entity: EntityNode, subject: Subject): Problem[] {
  const parent = entity.extendsEntity && subject.lookup(entity.extendsEntity.id)
  const bothKeys =
    parent &&
    twoKeysOf(
      entity,
      subject.attributesOf(parent).filter(({ isPrimaryKey }) => isPrimaryKey),
    )
  if (!bothKeys) return []
  const { own, inherited } = bothKeys
  const message = texts.twoKeys(entity.name, own.name, inherited.name, inherited.declaredBy.name)
  return [warning('twoKeys', message, subject.pathTo(entity, own))]
}

/** Every table has a key, own or inherited; required for a package with an API. */
export function missingKey(entity: EntityNode, subject: Subject): Problem[] {
  if (subject.nameConflicts.standsFor.get(entity.id) !== entity) return []
  if (subject.attributesOf(entity).some(attribute => attribute.isPrimaryKey)) return []
  const report = subject.options.forApi ? error : warning
  return [report('noKey', texts.noKey(entity.name), subject.pathOf(entity))]
}
