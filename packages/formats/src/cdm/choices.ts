import { booleanOf, isObject, listOf, nameOf, textOf, type JsonObject } from './json.ts'
import { hasTrait, isEnglish, traitArguments } from './traits.ts'

/** A choice: stored value (null if only a text is given) and text. */
export type Choice = {
  value: string | null
  label: string
  /** Number of discarded texts in other languages. */
  otherTexts?: number
}

/** An inline list, or the name of the constant entity that holds it. */
export type ChoiceSource = readonly Choice[] | { constant: string }

const defaultTrait = 'does.haveDefault'
export const listTraits: readonly string[] = [
  defaultTrait,
  'is.constrainedList',
  'is.constrainedList.string',
  'is.constrainedList.correlated',
]

/** Reads the value list of an attribute or its data type, in any of the supported forms. */
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

export function declaresList(json: JsonObject, dataType: unknown): boolean {
  if (booleanOf(json['valueConstrainedToList']) === true) return true
  return traitLists(json, dataType).some(
    traits =>
      listTraits.some(name => name !== defaultTrait && hasTrait(traits, name)) ||
      traitArguments(traits, defaultTrait).some(isObject),
  )
}

/** The default value from the trait, unless it is a list. */
export function traitDefault(json: JsonObject, dataType: unknown): unknown {
  const [stated] = traitLists(json, dataType).flatMap(traits => traitArguments(traits, defaultTrait))
  return isObject(stated) ? undefined : stated
}

function traitLists(json: JsonObject, dataType: unknown): unknown[] {
  return [json['appliedTraits'], isObject(dataType) ? dataType['appliedTraits'] : undefined]
}

/** Reads a constant table with the columns language tag, text, value, order. */
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
 * Selects one language: English if present, otherwise the language of the first row. A value without a text in that
 * language keeps its first text.
 */
function ofOneLanguage(all: readonly Row[]): Choice[] {
  const rows = all.filter(({ label, value }) => label !== undefined || value !== null)
  const hasEnglish = rows.some(row => isEnglish(row.tag))
  const isChosen = ({ tag }: Row) => (hasEnglish ? isEnglish(tag) : tag === rows[0]?.tag)
  const values = new Set(rows.flatMap(row => (isChosen(row) ? (row.value ?? []) : [])))
  const others = new Map<string | null, number>()
  const selected = rows.filter(row => {
    if (isChosen(row)) return true
    if (row.value !== null && !values.has(row.value)) {
      values.add(row.value)
      return true
    }
    others.set(row.value, (others.get(row.value) ?? 0) + 1)
    return false
  })
  return selected.map(({ label, value }, index) => {
    const otherTexts = (others.get(value) ?? 0) + (index === 0 && value !== null ? (others.get(null) ?? 0) : 0)
    others.delete(value)
    return { value, label: label ?? value ?? '', ...(otherTexts > 0 ? { otherTexts } : {}) }
  })
}
