import * as z from 'zod'
import { type Expression, valueSchema } from './conditions/condition.ts'
import type { Enumeration } from './enumeration.ts'

const attribute = z.strictObject({ uid: z.string(), name: z.string() })
const step = { uid: z.string(), attribute }

/**
 * What becomes of values where a version follows another one. `fill`: the value of records without one. `map`: other texts for values, as an
 * API writes them; null: no value. `derive`: the value from the columns of the version before; `back`: the one of that version from the
 * columns of this one. Null: unchanged, as far as the types allow.
 */
export const dataStepSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('fill'), ...step, value: valueSchema }),
  z.strictObject({
    kind: z.literal('map'),
    ...step,
    values: z.array(z.strictObject({ from: z.string(), to: z.string().nullable() })),
  }),
  z.strictObject({ kind: z.literal('derive'), ...step, from: valueSchema.nullable(), back: valueSchema.nullable() }),
])
export type DataStep = z.infer<typeof dataStepSchema>
export type DataStepKind = DataStep['kind']
export const dataStepKinds = ['fill', 'map', 'derive'] as const satisfies readonly DataStepKind[]

type Attribute = z.infer<typeof attribute>
type Mapped = readonly { readonly from: string; readonly to: string | null }[]

/**
 * A step in one direction. `undo` of a map: each value becomes the one that it came from. `drop`: values cannot be computed and are lost
 * unless their type stays.
 */
export type AppliedStep = { readonly attribute: Attribute } & (
  | { readonly kind: 'fill' | 'derive'; readonly value: Expression }
  | { readonly kind: 'map' | 'undo'; readonly values: Mapped }
  | { readonly kind: 'drop' }
)

type Stepped = {
  readonly manifests: readonly {
    readonly dataSteps: readonly DataStep[]
    readonly enumerations: readonly Enumeration[]
  }[]
  readonly entities: readonly { readonly typeAttributes: readonly Chosen[] }[]
}
type Chosen = Attribute & { readonly enumeration: { readonly uid: string } | null }

/**
 * The steps from the values of one model to those of another state of it, in their order: back by the steps that only the former has, the
 * renamed values of enumerations, then the steps that only the latter has. A version has the steps of those before it, so that versions can
 * be skipped.
 */
export function stepsBetween(before: Stepped, after: Stepped): AppliedStep[] {
  return [
    ...newSteps(after, before).toReversed().flatMap(backwards),
    ...renamedValues(before, after),
    ...newSteps(before, after).flatMap(forwards),
  ]
}

/** The steps that only the latter has. */
export function newSteps(before: Pick<Stepped, 'manifests'>, after: Pick<Stepped, 'manifests'>): DataStep[] {
  const old = new Set(before.manifests.flatMap(({ dataSteps }) => dataSteps.map(({ uid }) => uid)))
  return after.manifests.flatMap(({ dataSteps }) => dataSteps.filter(({ uid }) => !old.has(uid)))
}

function forwards(one: DataStep): AppliedStep[] {
  const { attribute: of } = one
  if (one.kind === 'fill') return [{ kind: 'fill', attribute: of, value: one.value }]
  if (one.kind === 'map') return [{ kind: 'map', attribute: of, values: one.values }]
  return one.from ? [{ kind: 'derive', attribute: of, value: one.from }] : []
}

function backwards(one: DataStep): AppliedStep[] {
  const { attribute: of } = one
  if (one.kind === 'fill') return []
  if (one.kind === 'map') return [{ kind: 'undo', attribute: of, values: one.values }]
  return [one.back ? { kind: 'derive', attribute: of, value: one.back } : { kind: 'drop', attribute: of }]
}

/** Values of enumerations, by uid, of the attributes that have the same one before and after. */
function renamedValues(before: Stepped, after: Stepped): AppliedStep[] {
  const enumerations = ({ manifests }: Stepped) => manifests.flatMap(one => one.enumerations)
  const old = new Map(
    enumerations(before).map(({ uid, values }) => [uid, new Map(values.map(one => [one.uid, one.value]))]),
  )
  const renames = new Map(
    enumerations(after).map(({ uid, values }) => {
      const renamed = values.flatMap(one => {
        const from = old.get(uid)?.get(one.uid)
        return from === undefined || from === one.value ? [] : [{ from, to: one.value }]
      })
      return [uid, renamed]
    }),
  )
  if (Array.from(renames.values()).every(values => values.length === 0)) return []
  const attributes = ({ entities }: Stepped) => entities.flatMap(({ typeAttributes }) => typeAttributes)
  const chosen = new Map(attributes(before).map(({ uid, enumeration }) => [uid, enumeration?.uid]))
  return attributes(after).flatMap(({ uid, name, enumeration }): AppliedStep[] => {
    const values = renames.get(enumeration?.uid ?? '') ?? []
    const isSame = enumeration !== null && chosen.get(uid) === enumeration.uid
    return isSame && values.length > 0 ? [{ kind: 'map', attribute: { uid, name }, values }] : []
  })
}
