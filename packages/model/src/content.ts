import * as z from 'zod'
import { configurationForm, type Configuration } from './configuration.ts'
import { namedEntitySchema, type NamedConfiguration, type NamedEntity } from './configuration-names.ts'
import { entityContentFormat, entityContentSchema, type EntityContent } from './entity.ts'
import { entityFields } from './fields/entity.ts'
import { fieldUpgrades } from './fields/field.ts'
import { manifestFields } from './fields/manifest.ts'
import { relationshipFields } from './fields/relationship.ts'
import { typeAttributeFields } from './fields/type-attribute.ts'
import { manifestContentFormat, manifestContentSchema, type ManifestContent } from './manifest.ts'
import { embedded } from './stored/nested-forms.ts'
import { ofRecord, readStored, type StoredForm } from './stored/stored-form.ts'

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

// A change of a stored form requires a new format here with its upgrade, and a sample; see `stored-forms.test.ts`.

export const entityForm: StoredForm<EntityContent> = {
  name: 'entity',
  format: entityContentFormat,
  schema: entityContentSchema,
  // Most formats only add fields, whose descriptors name the format. Other changes follow here.
  upgrades: fieldUpgrades(entityContentFormat, entityFields, {
    typeAttributes: typeAttributeFields,
    entityAttributes: relationshipFields,
  }),
}

export const manifestForm: StoredForm<ManifestContent> = {
  name: 'manifest',
  format: manifestContentFormat,
  schema: manifestContentSchema,
  upgrades: fieldUpgrades(manifestContentFormat, manifestFields),
}

const configurationContentFormat = 2

/** A configuration with the identities of the items that it names. */
export const configurationContentForm: StoredForm<ConfigurationContent> = {
  name: 'configuration content',
  format: configurationContentFormat,
  schema: z.intersection(
    embedded(configurationForm),
    z.object({ format: z.literal(configurationContentFormat), named: z.array(namedEntitySchema) }),
  ),
  // Format 1 was a configuration.
  unnumbered: 1,
  upgrades: { 1: ofRecord(stored => ({ ...stored, named: [] })) },
}
type ConfigurationContent = Configuration & { format: number; named: NamedEntity[] }

/** Reads a stored configuration with the names at that time. Throws a `StoredFormError`. */
export function readConfigurationContent(json: unknown): NamedConfiguration {
  const { format: _format, named, ...configuration } = readStored(configurationContentForm, json)
  return { configuration, named }
}

/** The stored form of a configuration. */
export function configurationContent({ configuration, named }: NamedConfiguration): ConfigurationContent {
  const identities = named.map(({ name, uid, columns }) => ({
    name,
    uid,
    columns: columns.map(column => ({ name: column.name, uid: column.uid })),
  }))
  return { ...configuration, format: configurationContentFormat, named: identities }
}
