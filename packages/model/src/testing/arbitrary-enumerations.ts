import type { EntityContent } from '../entity.ts'
import { type Enumeration, valuesOf } from '../enumeration.ts'
import { enumerationFault } from '../rules/enumerations.ts'
import { newUid } from '../uid.ts'
import type { Random } from './seeded-random.ts'

// For tests only: enumerations of a random model.

const names = [
  'OrderState',
  'date',
  "it's",
  'a"b',
  'Ключ',
  'Table',
  'string',
  'x y',
  '1',
  'Enum',
  'User',
  'x'.repeat(60),
]
const labels = ['', '', 'Label', "it's", 'two\nlines', '`', ' ']

/** Enumerations of some of the choices of entities, which their attributes and others with the same data type choose. */
export function withEnumerations<E extends EntityContent>(
  entities: readonly E[],
  random: Random,
): { entities: E[]; enumerations: Enumeration[] } {
  const enumerations: (Enumeration & { dataType: string })[] = []
  const chosen = entities.map((entity): E => {
    const typeAttributes = entity.typeAttributes.map(attribute => {
      const { dataType, choices } = attribute
      if (choices.length === 0 || random.chance(0.3)) return attribute
      const shared = enumerations.find(one => one.dataType === dataType && random.chance(0.3))
      const made =
        shared ?? enumerationOf(choices, `${random.pick(names)}${random.pick(['', enumerations.length])}`, random)
      if (!shared && enumerationFault(made, enumerations)) return attribute
      if (!shared) enumerations.push({ ...made, dataType })
      return { ...attribute, enumeration: { uid: made.uid, name: made.name }, choices: valuesOf(made) }
    })
    return { ...entity, typeAttributes }
  })
  return { entities: chosen, enumerations: enumerations.map(({ dataType: _dataType, ...one }) => one) }
}

function enumerationOf(choices: readonly string[], name: string, random: Random): Enumeration {
  const values = choices.map(value => ({ uid: newUid(), value, label: random.pick(labels) }))
  return { uid: newUid(), name, description: random.pick(labels), values }
}
