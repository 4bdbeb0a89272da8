import type { Enumeration } from '@cadmus/model/enumeration'
import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { aKey, aList, anEntity, aResolvedModel, aTypeAttribute } from '@cadmus/model/testing/builders'

export function anEnumeration(name: string, ...values: [value: string, label?: string][]): Enumeration {
  return {
    uid: `enumeration-${name}`,
    name,
    description: '',
    values: values.map(([value, label = '']) => ({ uid: `${name}-${value}`, value, label })),
  }
}

/** For tests: `Order` with attributes of two enumerations, of which one is named like the entity, and one with choices of its own. */
export function anEnumeratedModel(): ResolvedModel {
  const state = { ...anEnumeration('State', ['in work', 'Still open'], ['done']), description: 'How far it is.' }
  const other = anEnumeration('Order', ['a<b', 'Ascending'])
  const chosen = ({ uid, name, values }: Enumeration) => ({
    enumeration: { uid, name },
    choices: values.map(({ value }) => value),
  })
  const order = anEntity({
    name: 'Order',
    typeAttributes: aList(
      aKey(),
      aTypeAttribute({ name: 'state', ...chosen(state), description: 'Of the work.', defaultValue: 'done' }),
      aTypeAttribute({ name: 'before', ...chosen(state), nullable: true }),
      aTypeAttribute({ name: 'sorting', ...chosen(other), nullable: true }),
      aTypeAttribute({ name: 'stale', ...chosen(state), choices: ['done'], nullable: true }),
      aTypeAttribute({ name: 'own', choices: ['x', 'y'], nullable: true }),
    ),
  })
  const model = aResolvedModel([order])
  const root = { ...model.root, enumerations: [state, other] }
  return { ...model, root, manifests: [root] }
}
