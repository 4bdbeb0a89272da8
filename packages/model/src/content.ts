import * as z from 'zod'
import { readStoredConfiguration } from './configuration.ts'
import { namedEntitySchema, type NamedConfiguration } from './configuration-names.ts'
import { isRecord } from './equal.ts'
import { entityContentFormat, entityContentSchema, type EntityContent } from './entity.ts'
import { manifestContentFormat, manifestContentSchema, type ManifestContent } from './manifest.ts'

/**
 * JSON with keys in code unit order and without spaces, for storing and hashing: equal values give equal text. Omits keys with undefined
 * values.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return quotedText(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  // Concatenates by hand, because imports spend much of their time here.
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

/** Equivalent to JSON.stringify; most texts need only quotes. */
function quotedText(text: string): string {
  return needsEscapes.test(text) ? JSON.stringify(text) : `"${text}"`
}

// oxlint-disable-next-line no-control-regex -- JSON escapes them.
const needsEscapes = /["\\\u0000-\u001f\ud800-\udfff]/

/** In code unit order; most objects are sorted already. */
function keysInOrder(value: object): string[] {
  const keys = Object.keys(value)
  for (let index = 1; index < keys.length; index++)
    if ((keys[index - 1] ?? '') > (keys[index] ?? '')) return keys.sort()
  return keys
}

/** Parses the content of an entity from any stored format. Throws for an unknown one. */
export function upgradeEntityContent(json: unknown): EntityContent {
  return entityContentSchema.parse(upgraded(json, entityUpgrades, entityContentFormat))
}

/** Parses the content of a manifest from any stored format. Throws for an unknown one. */
export function upgradeManifestContent(json: unknown): ManifestContent {
  return manifestContentSchema.parse(upgraded(json, manifestUpgrades, manifestContentFormat))
}

/** Parses a configuration from any stored format, with the names at that time. Throws for an unknown one. */
export function upgradeConfiguration(json: unknown): NamedConfiguration {
  const first = isRecord(json) && !('format' in json) ? { ...json, format: 1 } : json
  const stored = upgraded(first, configurationUpgrades, configurationContentFormat)
  const { named } = namedSchema.parse(stored)
  return { configuration: readStoredConfiguration(stored), named }
}

/** The stored form of a configuration. */
export function configurationContent({ configuration, named }: NamedConfiguration): Stored {
  const identities = named.map(({ name, uid, columns }) => ({
    name,
    uid,
    columns: columns.map(column => ({ name: column.name, uid: column.uid })),
  }))
  return { ...configuration, format: configurationContentFormat, named: identities }
}

/** Format version of a stored configuration; the wire format has its own. */
const configurationContentFormat = 2

const namedSchema = z.object({ format: z.literal(configurationContentFormat), named: z.array(namedEntitySchema) })

type Stored = Record<string, unknown>
/** Upgrades by source format; each returns the next format. */
type Upgrades = ReadonlyMap<number, (stored: Stored) => Stored>

// Format 1 is the first. A change of a stored form adds one line here, and a sample of the old form to the test.
const entityUpgrades: Upgrades = new Map([
  // Format 2 adds the uids of references; in format 1 names count.
  [1, withoutTargetUids],
])
const manifestUpgrades: Upgrades = new Map()
const configurationUpgrades: Upgrades = new Map([
  // Format 2 adds the identities of names. Format 1 had names only and no format number.
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
