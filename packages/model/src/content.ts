import * as z from 'zod'
import { readStoredConfiguration } from './configuration.ts'
import { namedEntitySchema, type NamedConfiguration } from './configuration-names.ts'
import { isRecord } from './equal.ts'
import { entityContentFormat, entityContentSchema, type EntityContent } from './entity.ts'
import { manifestContentFormat, manifestContentSchema, type ManifestContent } from './manifest.ts'

/**
 * JSON with its keys in one order (code units) and no blanks, so that equal values give equal text: what is stored and hashed.
 * Keys whose value is undefined are left out.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return quotedText(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  // Put together by hand: much of an import's time goes here.
  let text = ''
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++)
      text += `${index === 0 ? '' : ','}${canonicalJson(value[index] ?? null)}`
    return `[${text}]`
  }
  for (const key of keysInOrder(value)) {
    const item: unknown = Reflect.get(value, key)
    if (item !== undefined) text += `${text === '' ? '' : ','}${quotedText(key)}:${canonicalJson(item)}`
  }
  return `{${text}}`
}

/** As JSON.stringify writes it; most texts need nothing but the quotes. */
function quotedText(text: string): string {
  return needsEscapes.test(text) ? JSON.stringify(text) : `"${text}"`
}

// oxlint-disable-next-line no-control-regex -- JSON escapes them.
const needsEscapes = /["\\\u0000-\u001f\ud800-\udfff]/

/** By code units; most are in order as they are. */
function keysInOrder(value: object): string[] {
  const keys = Object.keys(value)
  for (let index = 1; index < keys.length; index++)
    if ((keys[index - 1] ?? '') > (keys[index] ?? '')) return keys.sort()
  return keys
}

/** The content of an entity as it is today, from any format that was ever stored. Throws where it is none of them. */
export function upgradeEntityContent(json: unknown): EntityContent {
  return entityContentSchema.parse(upgraded(json, entityUpgrades, entityContentFormat))
}

/** The same for a manifest. */
export function upgradeManifestContent(json: unknown): ManifestContent {
  return manifestContentSchema.parse(upgraded(json, manifestUpgrades, manifestContentFormat))
}

/** A configuration as it was stored, under the names of that time. Throws where it is none. */
export function upgradeConfiguration(json: unknown): NamedConfiguration {
  const first = isRecord(json) && !('format' in json) ? { ...json, format: 1 } : json
  const stored = upgraded(first, configurationUpgrades, configurationContentFormat)
  const { named } = namedSchema.parse(stored)
  return { configuration: readStoredConfiguration(stored), named }
}

/** What is stored of a configuration. */
export function configurationContent({ configuration, named }: NamedConfiguration): Stored {
  const known = named.map(({ name, uid, columns }) => ({
    name,
    uid,
    columns: columns.map(column => ({ name: column.name, uid: column.uid })),
  }))
  return { ...configuration, format: configurationContentFormat, named: known }
}

/** The number of the stored form of a configuration; the form in which it travels has a number of its own. */
const configurationContentFormat = 2

const namedSchema = z.object({ format: z.literal(configurationContentFormat), named: z.array(namedEntitySchema) })

type Stored = Record<string, unknown>
/** By the format number that it starts from; it answers the next one. */
type Upgrades = ReadonlyMap<number, (stored: Stored) => Stored>

// Format 1 is the first. A change of a stored form adds one line here, and a sample of the old form to the test.
const entityUpgrades: Upgrades = new Map([
  // Format 2 knows the uids of what is referred to, where they are known. Format 1 knew none: its names count.
  [1, withoutTargetUids],
])
const manifestUpgrades: Upgrades = new Map()
const configurationUpgrades: Upgrades = new Map([
  // Format 2 knows what its names mean. Format 1, which had no number, knew names only.
  [1, stored => ({ ...stored, named: [] })],
])

function withoutTargetUids(stored: Stored): Stored {
  const { entityAttributes } = stored
  if (!Array.isArray(entityAttributes)) return stored
  const unknown = (item: unknown) => (isRecord(item) ? { ...item, associatedEntityTypeAttributeUid: null } : item)
  return { ...stored, entityAttributes: entityAttributes.map(unknown) }
}

function upgraded(json: unknown, upgrades: Upgrades, target: number): unknown {
  let stored = json
  for (let format = formatOf(stored); format < target; format = formatOf(stored)) {
    const upgrade = upgrades.get(format)
    if (!upgrade || !isRecord(stored)) break
    stored = { ...upgrade(stored), format: format + 1 }
  }
  return stored
}

function formatOf(json: unknown): number {
  return isRecord(json) && typeof json.format === 'number' ? json.format : Number.NaN
}
