import { booleanOf, isObject, listOf, nameOf, textOf, type JsonObject } from './json.ts'
import { isEnglish, traitArguments } from './traits.ts'

/** One value of a list: what is stored (null where only a text is given), and its text. */
export type Choice = { value: string | null; label: string }

/** A list written in place, or the name of a constant entity that holds it. */
export type ChoiceSource = readonly Choice[] | { constant: string }

const listTraits = [
  'does.haveDefault',
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
  const traitLists = [json['appliedTraits'], isObject(dataType) ? dataType['appliedTraits'] : undefined]
  for (const traits of traitLists) {
    for (const name of listTraits) {
      const source = choicesOfArguments(traitArguments(traits, name))
      if (source) return source
    }
  }
  return undefined
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

/** A list may come in several languages: English counts, else the language of its first row. */
function ofOneLanguage(rows: { tag: unknown; label: string | undefined; value: string | null }[]): Choice[] {
  const english = rows.filter(row => isEnglish(row.tag))
  const chosen = english.length > 0 ? english : rows.filter(row => row.tag === rows[0]?.tag)
  return chosen.flatMap(({ label, value }) => {
    if (label === undefined && value === null) return []
    return [{ value, label: label ?? value ?? '' }]
  })
}
