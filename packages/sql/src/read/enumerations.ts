import { FreeNames } from '@cadmus/model/free-names'
import { enumerationLimits } from '@cadmus/model/data-types'
import { enumerationFault } from '@cadmus/model/rules/enumerations'
import { type Meaning, meaningsOf } from './checks.ts'
import { readType } from './column-types.ts'
import type { Context } from './context.ts'
import type { NamedType, RawType } from './read-schema.ts'
import type { SqlEnumeration } from './sql-model.ts'
import { shown } from './token.ts'
import { valueText } from './value-text.ts'

/** The places of enumerations among all, by their types. */
export type EnumerationNumbers = ReadonlyMap<NamedType, { number: number; values: readonly string[] }>

/** The types that list their values: enumerations, and domains whose check does. */
export function enumeratedTypes(
  { schema, dialect }: Context,
  types: readonly NamedType[] = schema.types.all,
): NamedType[] {
  return types.filter(type => listedIn(type, dialect) !== undefined)
}

function listedIn({ definition, isDropped }: NamedType, dialect: Context['dialect']) {
  if (!definition || isDropped) return undefined
  if ('values' in definition) return definition.values
  const choices = definition.checks.map(({ expression }) => expression && choicesOf(meaningsOf(expression, dialect)))
  return choices.find(one => one !== null && one !== undefined)
}

function choicesOf(meanings: readonly Meaning[] | null): (Meaning & { kind: 'choices' }) | undefined {
  return meanings?.find(meaning => meaning.kind === 'choices')
}

/** The values as texts; null if they are of another type. */
function textsOf(type: NamedType, context: Context): readonly string[] | null {
  const listed = listedIn(type, context.dialect)
  if (!listed || !('kind' in listed)) return listed ?? null
  const { definition } = type
  const column = definition && 'column' in definition ? readType(definition.column.type, context) : undefined
  if (column?.dataType !== 'string') return null
  const texts = listed.values.map(value => valueText(value, column, true))
  return texts.every(text => text !== null) ? [...new Set(texts)] : null
}

/** The enumerations of a script. A type that cannot be one becomes a remark; its columns have its values as choices. */
export function readEnumerations(context: Context): { all: SqlEnumeration[]; numbers: EnumerationNumbers } {
  const all: SqlEnumeration[] = []
  const numbers = new Map<NamedType, { number: number; values: readonly string[] }>()
  const names = new FreeNames()
  for (const type of enumeratedTypes(context)) {
    const { name: stated, line, comment } = type
    const values = textsOf(type, context)
    const fault = faultOf(stated, values, all.length)
    if (values === null || fault !== undefined) {
      const message = `Type ${context.quoted(stated)} is imported as choices of its columns, not as an enumeration: ${fault}`
      context.changed(line, message, { of: 'enumeration' })
      if (comment !== '') context.lost(line, `The comment on ${context.quoted(stated)} is ignored.`, { of: 'comment' })
      continue
    }
    const name = names.take(stated)
    if (name !== stated)
      context.changed(line, `Another enumeration is named ${context.quoted(stated)}: this one is named ${shown(name)}.`)
    context.countParts(values.length)
    numbers.set(type, { number: all.length, values })
    all.push({ name, description: comment, values })
    context.take('enumeration')
    if (comment !== '') context.take('comment')
  }
  return { all, numbers }
}

function faultOf(name: string, values: readonly string[] | null, before: number): string | undefined {
  if (values === null) return 'its values are no texts.'
  if (before >= enumerationLimits.max) return `a manifest has at most ${enumerationLimits.max} enumerations.`
  return enumerationFault({ name, values: values.map(value => ({ uid: '', value, label: '' })) }, [])?.message
}

/** A domain may be one of another domain, even of itself. */
const maxDepth = 10

/** The type of a column that the script creates, and those that it is based on; none for an array. */
export function namedTypesOf(type: RawType): NamedType[] {
  const all: NamedType[] = []
  let current: RawType | undefined = type
  while (current?.named && !current.isArray && all.length < maxDepth) {
    const { named }: RawType = current
    if (named) all.push(named)
    const definition: NamedType['definition'] = named?.definition ?? null
    current = definition && 'column' in definition ? definition.column.type : undefined
  }
  return all
}
