import { scopeWords, type ScopeEffect } from '@cadmus/model/comparison/scope-words'
import type { ScopeChange } from '@cadmus/model/contract/comparison'
import { consequenceTexts } from '@cadmus/model/messages/compare-consequences'

/** Operations of one entity that change alike. */
export type ScopeRow = {
  key: string
  effect: ScopeEffect
  entity: string
  operations: string
  before: string
  after: string
}

const { scopes: texts } = consequenceTexts

/** What opens to everyone first, then what opens, each in the given order. */
export function scopeRows(changes: readonly ScopeChange[]): ScopeRow[] {
  const alike = Map.groupBy(changes, ({ entity, before, after, opens }) =>
    JSON.stringify([entity, before, after, opens]),
  )
  const rows = [...alike].flatMap(([key, group]) => {
    const [first] = group
    if (!first) return []
    const operations = group.map(({ operation }) => texts.operations[operation]).join(', ')
    return [{ key, entity: first.entity, operations, ...scopeWords(first) }]
  })
  return effects.flatMap(effect => rows.filter(row => row.effect === effect))
}

const effects: readonly ScopeEffect[] = ['everyone', 'opens', 'changed']
