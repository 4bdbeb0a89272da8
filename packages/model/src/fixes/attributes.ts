import { isKey } from '../columns.ts'
import { withAutomaticKey } from '../apply-request.ts'
import { changeAttributeEdits } from '../edits/entity-actions.ts'
import { applyEntityEdits } from '../edits/entity-edits.ts'
import { constraintsWithoutParent } from '../constraints.ts'
import { limits } from '../limits.ts'
import { demoteKey } from '../one-key.ts'
import { defaultKind, defaultValue } from '../rules/type-attribute.ts'
import type { KeyDataType } from '../data-types.ts'
import type { TypeAttribute } from '../type-attribute.ts'
import { isFault, readChoice, readLiteral } from '../values/literal.ts'
import type { Fix } from './fix.ts'
import { type FixedProblem, type FixState, isAttribute } from './fix-state.ts'

/** Makes `id` the key, which is added if there is none. */
export const addKey: Fix = {
  kind: 'addKey',
  apply(problem, state) {
    const entity = state.entity(problem.entity)
    if (!entity || state.attributesOf(entity).some(({ isPrimaryKey }) => isPrimaryKey)) return undefined
    const after = { ...withAutomaticKey(entity), id: entity.id, path: entity.path }
    const key = after.typeAttributes.find(isKey)
    return key && state.change(entity.id, () => after) ? key.name : undefined
  },
}

/** Turns an own key into an ordinary column in favour of the inherited one. */
export const makeOrdinary: Fix = {
  kind: 'makeOrdinary',
  apply(problem, state) {
    const change = <C extends Parameters<typeof demoteKey>[0]>(column: C) => demoteKey(column, 1)
    const column = state.column(problem)
    if (!column || !isKey(column)) return undefined
    return state.changeColumn(problem, { attribute: change, relationship: change }) ? '' : undefined
  },
}

/** Gives a key a data type that keys may have. */
function keyOfType(kind: Fix['kind'], dataType: KeyDataType): Fix {
  return {
    kind,
    apply: (problem, state) =>
      changeAttribute(problem, state, (_, entity) => {
        const edits = changeAttributeEdits(entity, problem.row ?? '', { dataType })
        const after = applyEntityEdits(entity, edits).typeAttributes.find(({ uid }) => uid === problem.row)
        return after && withValidDefault(after)
      }),
  }
}

export const keyAsInteger = keyOfType('keyAsInteger', 'integer')
export const keyAsString = keyOfType('keyAsString', 'string')

const noDefault = { defaultValue: null, defaultKind: 'literal' } as const

export const removeDefault: Fix = {
  kind: 'removeDefault',
  apply: (problem, state) =>
    changeAttribute(problem, state, item =>
      item.defaultValue === null && item.defaultKind === 'literal' ? undefined : { ...item, ...noDefault },
    ),
}

/** Removes the choices that can never be stored, and a default value among them. */
export const removeChoices: Fix = {
  kind: 'removeChoices',
  apply: (problem, state) =>
    changeAttribute(problem, state, item => {
      const isValid = (choice: string) => !isFault(readChoice(choice, item)) && !isFault(readLiteral(choice, item))
      const choices = item.choices.filter(isValid)
      return choices.length < item.choices.length ? withValidDefault({ ...item, choices }) : undefined
    }),
}

/** Makes room for the longest choice. */
export const raiseMaxLength: Fix = {
  kind: 'raiseMaxLength',
  apply(problem, state) {
    let longest = 0
    const changed = changeAttribute(problem, state, item => {
      longest = item.choices.reduce((length, choice) => Math.max(length, [...choice].length), 0)
      const fits = item.maxLength !== null && longest > item.maxLength && longest <= limits.maxLength.max
      return fits ? { ...item, maxLength: longest } : undefined
    })
    return changed === undefined ? undefined : String(longest)
  },
}

export const limitMaxLength: Fix = {
  kind: 'limitMaxLength',
  apply(problem, state) {
    const { min, max } = limits.maxLength
    const changed = changeAttribute(problem, state, item => {
      if (item.maxLength === null) return undefined
      return withValidDefault({ ...item, maxLength: Math.min(max, Math.max(min, Math.trunc(item.maxLength))) })
    })
    return changed === undefined ? undefined : String(max)
  },
}

export const removeMaxLength: Fix = {
  kind: 'removeMaxLength',
  apply: (problem, state) =>
    changeAttribute(problem, state, item => (item.maxLength === null ? undefined : { ...item, maxLength: null })),
}

export const removeIndex: Fix = {
  kind: 'removeIndex',
  apply: (problem, state) =>
    changeAttribute(problem, state, item =>
      item.unique || item.indexed ? { ...item, unique: false, indexed: false } : undefined,
    ),
}

export const removeParent: Fix = {
  kind: 'removeParent',
  apply(problem, state) {
    const entity = state.entity(problem.entity)
    if (!entity?.extendsEntity) return undefined
    const { name } = entity.extendsEntity
    return state.change(entity.id, content => ({
      ...content,
      extendsEntity: null,
      ...constraintsWithoutParent(content),
    }))
      ? name
      : undefined
  },
}

type Changed = (item: TypeAttribute, entity: NonNullable<ReturnType<FixState['entity']>>) => TypeAttribute | undefined

function changeAttribute(problem: FixedProblem, state: FixState, change: Changed): '' | undefined {
  const entity = state.entity(problem.entity)
  const column = state.column(problem)
  const after = entity && isAttribute(column) ? change(column, entity) : undefined
  return after && state.changeColumn(problem, { attribute: () => after }) ? '' : undefined
}

/** Without a default that is not one of the attribute. */
function withValidDefault(item: TypeAttribute): TypeAttribute {
  const fault = defaultValue(item.defaultValue, item) ?? defaultKind(item.defaultKind, item)
  return fault === undefined ? item : { ...item, ...noDefault }
}
