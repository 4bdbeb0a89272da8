import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { canonicalJson } from '../content.ts'
import { isRecord } from '../equal.ts'
import { nestedForms } from '../stored/nested-forms.ts'
import { readStored, unchanged, type StoredForm } from '../stored/stored-form.ts'

// Test helper: the samples of stored forms in `samples/<form>/<format>-<name>.json` of a workspace, written by the release that introduced
// the format. `samples/hashes.json` has the hash of every sample, and of the schema of every format.

const recordsSchema = z.object({
  samples: z.record(z.string(), z.string()),
  schemas: z.record(z.string(), z.record(z.string(), z.string())),
})

/** Tests that all samples can be read, and that neither samples nor schemas have changed. */
export function testStoredForms(folder: string, forms: readonly StoredForm<unknown>[]): void {
  const { samples, schemas } = recordsSchema.parse(JSON.parse(readFileSync(join(folder, 'hashes.json'), 'utf8')))
  const folderOf = ({ name }: StoredForm<unknown>) => name.replaceAll(' ', '-')
  const namesOf = (form: StoredForm<unknown>) => {
    const path = join(folder, folderOf(form))
    return existsSync(path) ? readdirSync(path).map(file => `${folderOf(form)}/${file}`) : []
  }
  const textOf = (name: string) => readFileSync(join(folder, name), 'utf8')

  it.each(forms)('the $name opens from a sample of each format', form => {
    const samples = namesOf(form).map(name => ({ name, format: formatIn(name), json: jsonOf(textOf(name)) }))
    const formats = new Set(samples.map(({ format }) => format))
    expect(
      formatsOf(form)
        .filter(format => !formats.has(format))
        .map(format => `samples/${folderOf(form)}/${format}-full.json is missing`),
    ).toEqual([])
    const read = samples.map(({ name, format, json }) => ({
      name,
      json: withoutNumber(form, json),
      value: withoutNumber(form, readStored(form, json, numberIn(form, json, format))),
    }))
    // A full sample of the current format has all fields, and reading must preserve each of them.
    const full = read.filter(({ name }) => name.includes(`/${newestOf(form)}-full`))
    expect(full.map(({ value, json }) => asSampled(value, json))).toEqual(full.map(({ json }) => json))
  })

  it.each(forms)('the schema of the $name changes only with its format', form => {
    const hash = form.schema instanceof z.ZodType ? schemaHash(form.schema) : undefined
    const format = newestOf(form)
    expect(problemsOf({ ...form, format }, hash, schemas[form.name]?.[format])).toEqual([])
  })

  it('the samples of stored forms never change', () => {
    const all = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && entry.name !== 'hashes.json')
      .map(entry => relative(folder, join(entry.parentPath, entry.name)))
    // Samples never change: add another one, and record its hash in samples/hashes.json.
    expect(Object.fromEntries(all.map(name => [name, hashOf(readFileSync(join(folder, name)))]))).toEqual(samples)
  })
}

/** Formats that differ from the one before. */
function formatsOf({ format, upgrades }: StoredForm<unknown>): number[] {
  const readable = [...Object.keys(upgrades).map(Number), format]
  return readable.filter(number => upgrades[number - 1] !== unchanged)
}

function newestOf(form: StoredForm<unknown>): number {
  return Math.max(...formatsOf(form))
}

/** The value without the fields that newer formats of nested forms have added. */
function asSampled(value: unknown, json: unknown, isNewer = false): unknown {
  if (Array.isArray(value) && Array.isArray(json))
    return value.map((item, index) => asSampled(item, json[index], isNewer))
  if (!isRecord(value) || !isRecord(json)) return value
  const former = ['format', 'editFormat', 'configurationFormat'].filter(
    key => typeof json[key] === 'number' && json[key] !== value[key],
  )
  const isUpgraded = isNewer || former.length > 0
  const entries = Object.entries(value).filter(([key]) => key in json || !isUpgraded)
  const fields = entries.map(([key, field]) => [key, asSampled(field, json[key], isUpgraded)])
  return { ...Object.fromEntries(fields), ...Object.fromEntries(former.map(key => [key, json[key]])) }
}

function problemsOf(
  { name, format }: StoredForm<unknown>,
  hash: string | undefined,
  recorded: string | undefined,
): string[] {
  if (hash === recorded) return []
  if (recorded === undefined)
    return [`Record the hash ${hash} of format ${format} of '${name}' in samples/hashes.json.`]
  return [
    `The schema of the stored form '${name}' has changed, but its format is still ${format}: stored data would be lost or refused.`,
    `Increase its format to ${format + 1}, add an upgrade from ${format} to its upgrades, and a sample ${format + 1}-full.json.`,
    `Record the hash ${hash} of format ${format + 1} of '${name}' in samples/hashes.json.`,
  ]
}

function jsonOf(text: string): unknown {
  return JSON.parse(text)
}

function formatIn(name: string): number {
  return Number(/\/(\d+)-[^/]*$/.exec(name)?.[1])
}

/** Returns undefined if the sample contains its format number or needs none. */
function numberIn({ key = 'format', unnumbered }: StoredForm<unknown>, json: unknown, format: number) {
  return (isRecord(json) && key in json) || unnumbered !== undefined ? undefined : format
}

function withoutNumber({ key = 'format' }: StoredForm<unknown>, json: unknown): unknown {
  if (!isRecord(json)) return json
  const { [key]: _number, ...rest } = json
  return rest
}

/** Hashes the input and, since a preprocessed input is unknown, the output. Schemas of nested forms do not count. */
function schemaHash(schema: z.ZodType): string {
  const views = (['input', 'output'] as const).map(io =>
    z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      // Ids that other modules give to schemas do not belong to the form.
      metadata: z.registry(),
      override({ zodSchema, jsonSchema }) {
        const nested = nestedForms.get(zodSchema)
        if (!nested) return
        for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key)
        Object.assign(jsonSchema, { nested: nested.form })
      },
    }),
  )
  return hashOf(canonicalJson(views)).slice(0, 16)
}

function hashOf(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex')
}
