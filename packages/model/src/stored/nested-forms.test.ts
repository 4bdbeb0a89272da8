import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { embedded, partUpgrade } from './nested-forms.ts'
import { numbered, ofRecord, readStored, type StoredForm, StoredFormError } from './stored-form.ts'

const itemSchema = z.object({ title: z.string(), size: z.number() })

/** Format 2 renames `name` of items to `title`, format 3 adds their size; the first release wrote no number. */
const form: StoredForm<{ items: z.infer<typeof itemSchema>[] }> = {
  name: 'list',
  format: 3,
  schema: z.object({ items: z.array(itemSchema) }),
  unnumbered: 1,
  upgrades: {
    1: ofRecord(({ items }) => ({ items: mapped(items, ({ name, ...item }) => ({ ...item, title: name })) })),
    2: ofRecord(({ items }) => ({ items: mapped(items, item => ({ size: 0, ...item })) })),
  },
}

function mapped(items: unknown, map: (item: Record<string, unknown>) => object): unknown {
  return Array.isArray(items) ? items.map(map) : items
}

function errorOf(read: () => unknown): StoredFormError {
  try {
    read()
  } catch (error) {
    if (error instanceof StoredFormError) return error
  }
  throw new Error('It was read.')
}

const expected = { items: [{ title: 'a', size: 0 }] }

describe('a stored form', () => {
  it('reads every format, and data without a number as the first one', () => {
    expect(readStored(form, { items: [{ name: 'a' }] })).toEqual(expected)
    expect(readStored(form, { format: 1, items: [{ name: 'a' }] })).toEqual(expected)
    expect(readStored(form, { format: 2, items: [{ title: 'a' }] })).toEqual(expected)
    expect(readStored(form, { items: [{ title: 'a' }] }, 2)).toEqual(expected)
    expect(readStored(form, numbered(form, expected))).toEqual(expected)
  })

  it('refuses newer data and names both formats', () => {
    const error = errorOf(() => readStored(form, { format: 4, items: [] }))
    expect(error).toMatchObject({ form: 'list', actual: 4, expected: 3, path: 'format' })
    expect(error.message).toBe('The list cannot be read: its format is 4, and this release reads formats up to 3.')
  })

  it.each([0, -1, 1.5, '2', null, {}])('refuses the format %j', format => {
    expect(errorOf(() => readStored(form, { format, items: [] })).path).toBe('format')
  })

  it('names the place of an invalid value', () => {
    const error = errorOf(() => readStored(form, { format: 2, items: [{ title: 5 }] }))
    expect(error).toMatchObject({
      actual: 3,
      path: 'items.0.title',
      message: 'The list cannot be read: at items.0.title.',
    })
    expect(() => readStored(form, null)).toThrow(StoredFormError)
  })
})

describe('a nested form', () => {
  const around = z.object({ lists: z.array(embedded(form)) })

  it('is read by its own format', () => {
    expect(around.parse({ lists: [{ items: [{ name: 'a' }] }, { format: 2, items: [{ title: 'a' }] }] }).lists).toEqual(
      [expected, expected],
    )
  })

  it('reports problems at their place in the form around it', () => {
    const problems = around.safeParse({
      lists: [
        { format: 3, items: [] },
        { format: 3, items: [{ title: 'a' }] },
      ],
    }).error
    expect(problems?.issues.map(({ path }) => path.join('.'))).toEqual(['lists.1.items.0.size'])
  })
})

it('a part stored on its own is upgraded with its form; a partial one gets no defaults', () => {
  const part = { form, list: 'items' }
  expect(partUpgrade(part, 1, 3)({ name: 'a' })).toEqual({ title: 'a', size: 0 })
  expect(partUpgrade({ ...part, isPartial: true }, 1, 3)({ name: 'a' })).toEqual({ title: 'a' })
  expect(partUpgrade({ ...part, isPartial: true }, 1, 3)({ size: 2 })).toEqual({ size: 2 })
})
