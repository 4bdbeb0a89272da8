import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { schemaWords } from '../schema-words.ts'
import type { Call } from './call.ts'
import { allCalls } from '../testing/calls.ts'

z.config({ localeError: schemaWords })

const calls: readonly Call[] = Object.values(allCalls)
const bodies = calls.flatMap(({ id, body, files }) => (body && !files ? [{ id, body }] : []))

/** Paths of the objects in a schema that ignore unknown properties. */
function openObjects(schema: unknown, place: string): string[] {
  if (schema instanceof z.ZodObject) {
    const isOpen = !(schema.def.catchall instanceof z.ZodNever)
    const inner = Object.entries(schema.shape).flatMap(([name, field]) => openObjects(field, `${place}.${name}`))
    return [...(isOpen ? [place] : []), ...inner]
  }
  if (schema instanceof z.ZodArray) return openObjects(schema.element, `${place}[]`)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(option => openObjects(option, place))
  if (schema instanceof z.ZodPipe)
    return openObjects(schema.in instanceof z.ZodTransform ? schema.out : schema.in, place)
  const isWrapped =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  return isWrapped ? openObjects(schema.unwrap(), place) : []
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
