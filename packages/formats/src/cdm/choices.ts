import { booleanOf, isObject, listOf, nameOf, textOf, type JsonObject } from './json.ts'
import { hasTrait, isEnglish, traitArguments } from './traits.ts'

/** One value of a list: what is stored (null where only a text is given), and its text. */
export type Choice = {
  value: string | null
  label: string
  /** How many texts in other languages were given, which are not kept. */
  otherTexts?: number
}

/** A list written in place, or the name of a constant entity that holds it. */
export type ChoiceSource = readonly Choice[] | { constant: string }

const defaultTrait = 'does.haveDefault'
export const listTraits: readonly string[] = [
  defaultTrait,
  'is.constrainedList',
  'is.constrainedList.string',
  'is.constrainedList.correlated',
]

/** The value list that the attribute or its data type carries, in any of the forms in use. */
export function readChoices(json: JsonObject, dataType: unknown): ChoiceSource | undefined {
  if (Array.isArray(json['defaultValue']) && booleanOf(json['valueConstrainedToList']) !== false) {
    const choices = choicesOfObjects(json['defaultValue'])
    if (choices.length > 0) return choices
  }
  for (const traits of traitLists(json, dataType)) {
    for (const name of listTraits) {
      const source = choicesOfArguments(traitArguments(traits, name))
      if (source) return source
    }
  }
  return undefined
}

/** Whether a list is asked for, by a property or by a trait. */
export function asksForList(json: JsonObject, dataType: unknown): boolean {
  if (booleanOf(json['valueConstrainedToList']) === true) return true
  return traitLists(json, dataType).some(
    traits =>
      listTraits.some(name => name !== defaultTrait && hasTrait(traits, name)) ||
      traitArguments(traits, defaultTrait).some(isObject),
  )
}

/** A default value that only the trait states, where that is no list. */
export function statedDefault(json: JsonObject, dataType: unknown): unknown {
  const [stated] = traitLists(json, dataType).flatMap(traits => traitArguments(traits, defaultTrait))
  return isObject(stated) ? undefined : stated
}

function traitLists(json: JsonObject, dataType: unknown): unknown[] {
  return [json['appliedTraits'], isObject(dataType) ? dataType['appliedTraits'] : undefined]
}

/** The rows of a constant table: language tag, text, value, order. */
export function choicesOfTable(table: JsonObject): Choice[] {
  return ofOneLanguage(
    listOf(table['constantValues']).map(row => {
      const [tag, label, value] = listOf(row)
      return { tag, label: textOf(label), value: textOf(value) ?? null }
    }),
  )
}

function choicesOfObjects(rows: readonly unknown[]): Choice[] {
  return ofOneLanguage(
    rows.filter(isObject).map(row => ({
      tag: row['languageTag'],
      label: textOf(row['displayText']),
      value: textOf(row['attributeValue']) ?? null,
    })),
  )
}

function choicesOfArguments(values: readonly unknown[]): ChoiceSource | undefined {
  for (const value of values) {
    const reference = isObject(value) ? value['entityReference'] : undefined
    const constant = nameOf(reference)
    if (constant !== undefined) return { constant }
    if (isObject(reference) && Array.isArray(reference['constantValues'])) return choicesOfTable(reference)
  }
  return undefined
}

type Row = { tag: unknown; label: string | undefined; value: string | null }

/**
 * A list may come in several languages: English counts, else the language of its first row. A value that has no text in it keeps
 * the first that it has.
 */
function ofOneLanguage(all: readonly Row[]): Choice[] {
  const rows = all.filter(({ label, value }) => label !== undefined || value !== null)
  const hasEnglish = rows.some(row => isEnglish(row.tag))
  const isChosen = ({ tag }: Row) => (hasEnglish ? isEnglish(tag) : tag === rows[0]?.tag)
  const values = new Set(rows.flatMap(row => (isChosen(row) ? (row.value ?? []) : [])))
  const others = new Map<string | null, number>()
  const kept = rows.filter(row => {
    if (isChosen(row)) return true
    if (row.value !== null && !values.has(row.value)) {
      values.add(row.value)
      return true
    }
    others.set(row.value, (others.get(row.value) ?? 0) + 1)
    return false
  })
  return kept.map(({ label, value }, index) => {
    const otherTexts = (others.get(value) ?? 0) + (index === 0 && value !== null ? (others.get(null) ?? 0) : 0)
    others.delete(value)
    return { value, label: label ?? value ?? '', ...(otherTexts > 0 ? { otherTexts } : {}) }
  })
}
