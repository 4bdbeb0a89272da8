import { enumerationLimits } from '../data-types.ts'
import type { Enumeration } from '../enumeration.ts'
import { isEqual } from '../equal.ts'
import { enumerationTexts } from '../messages/enumerations.ts'
import { foldName } from '../paths.ts'
import { enumerationFault } from '../rules/enumerations.ts'
import { isUid, newUid } from '../uid.ts'
import type { Mark, TextModel } from './marked-text.ts'
import { type EnumsByName, isTypeName, type NamedValues } from './named-values.ts'
import { gaps, type MarkIndex } from './places.ts'
import type { ParsedEnum, ParsedText, ParsedValue, Report } from './parsed-text.ts'
import { nameText, quoted } from './tokens.ts'

/** The lines of a block `Enum` behind its name. */
export function enumBody({ values }: Enumeration): string {
  const lines = values.map(({ value, label }) => {
    const note = label === '' ? '' : ` [note: ${quoted(label, "'")}]`
    return `  ${nameText(value)}${note}\n`
  })
  return ` {\n${lines.join('')}}\n`
}

/** What a block means, for comparisons. */
export function meaningOfEnum({ name, values }: ParsedEnum): unknown {
  return [name.text, values]
}

/** The enumerations that a text without blocks of its manifest may name. */
export function modelEnums({ enumerations = [] }: Pick<TextModel, 'enumerations'>): EnumsByName {
  const byName = new Map(enumerations.map(one => [foldName(one.name), namedValues(one)]))
  return name => byName.get(foldName(name))
}

function namedValues({ uid, name, values }: Enumeration): NamedValues {
  return { values: values.map(({ value }) => value), enumeration: { uid, name } }
}

/** For comparisons of two texts: blocks by name, and any other word that is no type. */
export function textEnums(enums: readonly ParsedEnum[]): EnumsByName {
  const byName = new Map(enums.map(one => [foldName(one.name.text), plainValues(one).values]))
  return word => {
    const name = foldName(word)
    const values = byName.get(name) ?? (isTypeName(word) ? [] : undefined)
    return values && { values, enumeration: { uid: '', name } }
  }
}

function plainValues({ values }: ParsedEnum): NamedValues {
  return { values: values.map(({ value }) => value), enumeration: null }
}

export type ReadEnumerations = {
  /** Those of the manifest as the text has them; null: unchanged. */
  all: readonly Enumeration[] | null
  named: EnumsByName
  marks: readonly Mark[]
}

/**
 * The enumerations that a text has. In the text of a manifest its blocks are those of the manifest, known by their marks, then by their names
 * and values; in that of an entity they only stand for their values.
 */
export function readEnumerations(
  { enums }: ParsedText,
  model: TextModel,
  { marks, report }: { marks: MarkIndex; report: Report },
): ReadEnumerations {
  const known = modelEnums(model)
  if (model.project === null) {
    const own = new Map(enums.map(one => [foldName(one.name.text), plainValues(one)]))
    return { all: null, named: name => own.get(foldName(name)) ?? known(name), marks: [] }
  }
  const former = model.enumerations ?? []
  const blocks = matched(enums, former, marks)
  const read = blocks.map(({ parsed, uid, old }): Enumeration => {
    const values = settledValues(parsed.values, old?.values ?? [])
    return { uid, name: parsed.name.text, description: old?.description ?? '', values }
  })
  const byUid = new Map(read.map(one => [one.uid, one]))
  const isFormer = new Set(former.map(({ uid }) => uid))
  const all = [...former.flatMap(({ uid }) => byUid.get(uid) ?? []), ...read.filter(({ uid }) => !isFormer.has(uid))]
  for (const [at, { parsed, old }] of blocks.entries()) {
    const one = read[at]
    const fault = one && !isEqual(one, old) ? enumerationFault(one, read.toSpliced(at, 1)) : undefined
    if (fault) report(parsed.name, fault.message)
  }
  const last = blocks.at(-1)
  if (last && all.length > Math.max(enumerationLimits.max, former.length))
    report(last.parsed.name, enumerationTexts.tooMany)
  return {
    all: isEqual(all, former) ? null : all,
    named: namesOf(blocks),
    marks: blocks.map(({ parsed: { name }, uid }) => ({ from: name.from, to: name.to, kind: 'enumeration', uid })),
  }
}

type Block = { parsed: ParsedEnum; uid: string; old: Enumeration | undefined }

function matched(enums: readonly ParsedEnum[], former: readonly Enumeration[], marks: MarkIndex): Block[] {
  const blocks = enums.map((parsed): Block => ({ parsed, uid: '', old: undefined }))
  const keys: readonly [(block: Block) => string | undefined, (one: Enumeration) => string][] = [
    [
      ({ parsed }) => `${marks.at(parsed.name)?.uid} ${foldName(parsed.name.text)}`,
      one => `${one.uid} ${foldName(one.name)}`,
    ],
    [({ parsed }) => marks.at(parsed.name)?.uid, ({ uid }) => uid],
    [({ parsed }) => foldName(parsed.name.text), ({ name }) => foldName(name)],
    [({ parsed }) => JSON.stringify(plainValues(parsed).values), one => JSON.stringify(namedValues(one).values)],
  ]
  const taken = new Set<string>()
  for (const [keyOf, formerKey] of keys) {
    const open = new Map(former.filter(({ uid }) => !taken.has(uid)).map(one => [formerKey(one), one]))
    for (const block of blocks) {
      const key = block.old ? undefined : keyOf(block)
      const old = key === undefined ? undefined : open.get(key)
      if (!old || taken.has(old.uid)) continue
      taken.add(old.uid)
      block.old = old
      block.uid = old.uid
    }
  }
  const isKnown = new Set(former.map(({ uid }) => uid))
  for (const block of blocks) {
    if (block.old) continue
    const mark = marks.at(block.parsed.name)
    const isFree = mark?.kind === 'enumeration' && isUid(mark.uid) && !taken.has(mark.uid) && !isKnown.has(mark.uid)
    block.uid = isFree ? mark.uid : newUid()
    taken.add(block.uid)
  }
  return blocks
}

/** By their present names, then by those before. Until it is saved, an enumeration means what the manifest has. */
function namesOf(blocks: readonly Block[]): EnumsByName {
  const byName = new Map<string, NamedValues>()
  const add = (name: string, block: Block) => {
    const { parsed, uid, old } = block
    const coming = { uid, name: parsed.name.text }
    if (!byName.has(foldName(name)))
      byName.set(foldName(name), old ? namedValues(old) : { ...plainValues(parsed), coming })
  }
  for (const block of blocks) add(block.parsed.name.text, block)
  for (const block of blocks) if (block.old) add(block.old.name, block)
  return name => byName.get(foldName(name))
}

type Value = Enumeration['values'][number]

/** Values keep their uids: those that are still there, and those in place of others between the same neighbours. */
function settledValues(lines: readonly ParsedValue[], former: readonly Value[]): Value[] {
  const byValue = new Map(former.map(one => [one.value, one]))
  const stays = new Set(lines.map(({ value }) => value))
  const open = gaps(
    former,
    ({ value }) => (stays.has(value) ? value : undefined),
    () => '',
  )
  const renamed = new Map<ParsedValue, Value>()
  const placed = gaps(
    lines,
    ({ value }) => (byValue.has(value) ? value : undefined),
    () => '',
  )
  for (const [gap, all] of placed) {
    const others = open.get(gap) ?? []
    if (others.length !== all.length) continue
    for (const [at, line] of all.entries()) {
      const other = others[at]
      if (other) renamed.set(line, other)
    }
  }
  const taken = new Set<string>()
  return lines.map(line => {
    const { value, label } = line
    const old = byValue.get(value) ?? renamed.get(line)
    const uid = old && !taken.has(old.uid) ? old.uid : newUid()
    taken.add(uid)
    return { uid, value, label }
  })
}
