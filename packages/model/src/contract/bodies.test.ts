import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { schemaWords } from '../schema-words.ts'
import type { Call } from './call.ts'
import { allCalls } from '../testing/calls.ts'

z.config({ localeError: schemaWords })

const calls: readonly Call[] = Object.values(allCalls)
const bodies = calls.flatMap(({ id, body, files }) => (body && !files ? [{ id, body }] : []))

/** Paths of the objects in a schema that ignore unknown properties. */
function openObjects(schema: unknown, place: string, within: readonly unknown[] = []): string[] {
  // A recursive schema contains itself.
  if (within.includes(schema)) return []
  const openIn = (inner: unknown, at: string) => openObjects(inner, at, [...within, schema])
  if (schema instanceof z.ZodObject) {
    const isOpen = !(schema.def.catchall instanceof z.ZodNever)
    const inner = Object.entries(schema.shape).flatMap(([name, field]) => openIn(field, `${place}.${name}`))
    return [...(isOpen ? [place] : []), ...inner]
  }
  if (schema instanceof z.ZodArray) return openIn(schema.element, `${place}[]`)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(option => openIn(option, place))
  if (schema instanceof z.ZodPipe) return openIn(schema.in instanceof z.ZodTransform ? schema.out : schema.in, place)
  const isWrapped =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  return isWrapped ? openIn(schema.unwrap(), place) : []
}

describe('Request bodies of all calls', () => {
  it('contain no object that ignores unknown properties', () => {
    expect(bodies.length).toBeGreaterThan(20)
    expect(bodies.flatMap(({ id, body }) => openObjects(body, id))).toEqual([])
  })

  it.each(bodies)('$id rejects an unknown property by name', ({ body }) => {
    const { error } = body.safeParse({ nonsense: 1 })
    expect(error?.issues.map(({ message }) => message)).toContain('This does not accept "nonsense".')
  })
})
