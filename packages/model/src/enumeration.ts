import * as z from 'zod'
import { isEqual } from './equal.ts'
import { newUid } from './uid.ts'

/** A named list of values that attributes of the manifest's own entities may have. */
export const enumerationSchema = z.object({
  uid: z.string(),
  name: z.string(),
  description: z.string(),
  values: z.array(z.object({ uid: z.string(), value: z.string(), label: z.string() })),
})
export type Enumeration = z.infer<typeof enumerationSchema>

/** The enumeration of an attribute. Its choices are a copy of the values, so that they never dangle. */
export const enumerationReference = z.object({ uid: z.string(), name: z.string() })

/** In a request, `uid` decides; the name follows. */
export const enumerationRequest = z.strictObject({
  uid: z.string().max(60),
  name: z.string().max(20_000).default(''),
})

export function valuesOf({ values }: Enumeration): string[] {
  return values.map(({ value }) => value)
}

/** The enumeration with these values. Those that it has keep their uids and labels, as does one that another takes the place of. */
export function withValues(enumeration: Enumeration, values: readonly string[]): Enumeration {
  const known = new Map(enumeration.values.map(one => [one.value, one]))
  const remaining = new Set(values)
  const isRenaming = values.length === enumeration.values.length
  const renamed = (at: number) => {
    const before = isRenaming ? enumeration.values[at] : undefined
    return before && !remaining.has(before.value) ? before : undefined
  }
  return {
    ...enumeration,
    values: values.map((value, at) => known.get(value) ?? { ...(renamed(at) ?? { uid: newUid(), label: '' }), value }),
  }
}

type Chosen = { enumeration: z.infer<typeof enumerationReference> | null; choices: string[] }

/** For copies elsewhere: the choices stay. */
export function withoutEnumerations<E extends { typeAttributes: Chosen[] }>(entity: E): E {
  return { ...entity, typeAttributes: entity.typeAttributes.map(item => ({ ...item, enumeration: null })) }
}

/** An enumeration of a file, and what became of it in the manifest. */
export type PlacedEnumeration = { read: Enumeration; is: Enumeration }

/** Attributes of a file with the enumerations of the manifest, by those of the file; others have choices alone. */
export function withPlacedEnumerations<A extends Chosen>(
  attributes: readonly A[],
  placed: ReadonlyMap<string, PlacedEnumeration>,
): A[] {
  return attributes.map(attribute => {
    const { enumeration, choices } = attribute
    if (enumeration === null) return attribute
    const { read, is } = placed.get(enumeration.uid) ?? {}
    const isWhole = read !== undefined && isEqual(valuesOf(read), choices)
    return { ...attribute, ...chosenFrom(isWhole ? is : undefined) }
  })
}

/** What an attribute of the enumeration `uid` has of it; null once it is gone, which leaves the choices. */
export function chosenFrom(enumeration: Enumeration | undefined): Partial<Chosen> & Pick<Chosen, 'enumeration'> {
  if (!enumeration) return { enumeration: null }
  return { enumeration: { uid: enumeration.uid, name: enumeration.name }, choices: valuesOf(enumeration) }
}

/**
 * The attributes whose enumeration was changed: an enumeration that was chosen gives its name and values; choices that were edited are no
 * longer those of an enumeration, as is one that is not among these.
 */
export function settledAttributes<A extends Chosen & { uid: string }>(
  attributes: readonly A[],
  before: readonly A[],
  enumerations: readonly Enumeration[],
): A[] {
  const [old, known] = [new Map(before.map(one => [one.uid, one])), new Map(enumerations.map(one => [one.uid, one]))]
  return attributes.map(attribute => {
    const { enumeration, choices } = attribute
    const was = old.get(attribute.uid)
    if (enumeration === null) return attribute
    if (was && isEqual(was.enumeration, enumeration) && isEqual(was.choices, choices)) return attribute
    const current = known.get(enumeration.uid)
    const isEdited = was?.enumeration?.uid === enumeration.uid && current && !isEqual(valuesOf(current), choices)
    return { ...attribute, ...chosenFrom(isEdited ? undefined : current) }
  })
}

/** An enumeration in a list, with labels that differ from the values. */
export function enumerationLine({ name, values }: Enumeration): string {
  const shown = values.map(({ value, label }) => (label === '' || label === value ? value : `${value} (${label})`))
  return `${name}: ${shown.join(', ')}`
}
