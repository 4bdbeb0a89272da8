import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { schemaWords } from './schema-words.ts'

const messageFor = (schema: z.ZodType, value: unknown): string | undefined =>
  schema.safeParse(value, { error: schemaWords }).error?.issues[0]?.message

describe('A schema describes an invalid value', () => {
  it.each<[string, z.ZodType, unknown]>([
    ['This must be a text, not a number.', z.string(), 5],
    ['This must be a text, not null.', z.string(), null],
    ['This must be a number, not a text.', z.number(), '5'],
    ['This must be a number.', z.number(), Number.NaN],
    ['This must be a whole number.', z.number().int(), 1.5],
    ['This must be true or false, not a text.', z.boolean(), 'yes'],
    ['This must be a text, not true.', z.string(), true],
    ['This must be a list, not an object.', z.array(z.string()), {}],
    ['This must be an object, not a list.', z.object({}), []],
    ['This is missing.', z.string(), undefined],
    ['This must be "a", "b" or "c".', z.enum(['a', 'b', 'c']), 'd'],
    ['This must be 2.', z.literal(2), 1],
    ['This must be more than 0.', z.number().positive(), 0],
    ['This must be at most 2,147,483,647.', z.number().max(2147483647), 2147483648],
    ['This must have at least 1 character.', z.string().min(1), ''],
    ['This must have at most 400 characters.', z.string().max(400), 'x'.repeat(401)],
    ['This must have at most 3 items.', z.array(z.string()).max(3), ['', '', '', '']],
    ['This does not accept "x".', z.strictObject({}), { x: 1 }],
    ['This is not a valid UUID.', z.uuid(), 'x'],
    ['This must be a date and time such as 2026-01-31T12:00:00Z.', z.iso.datetime(), 'x'],
    ['This is not in the required format.', z.string().regex(/^a$/), 'b'],
    ['This must be a multiple of 5.', z.number().multipleOf(5), 4],
    ['This value is not allowed.', z.union([z.string(), z.number()]), null],
    ['This value is not allowed.', z.string().refine(text => text === 'a'), 'b'],
    ['Own words.', z.string('Own words.'), 1],
  ])('an invalid value is described with %s', (words, schema, value) => {
    expect(messageFor(schema, value)).toBe(words)
  })
})
