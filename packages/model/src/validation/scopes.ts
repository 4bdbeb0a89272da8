import type { EntityNode } from '../entity.ts'
import type { Problem } from '../problem.ts'
import { scopesOf } from '../rules/scope-definition.ts'
import { error, type Subject } from './subject.ts'
import { texts } from './texts.ts'

/** Used scopes are defined in the configuration; without a configuration no scope is defined. */
export function globalScopes(subject: Subject): Problem[] {
  const root = subject.manifestPath(subject.resolvedModel.root)
  const used = scopeConfiguration(subject)?.globalScopes ?? []
  return undefinedAmong(used, subject).map(scope => error('scope', texts.scope(scope), root))
}

/** Scopes required by an entity's operations are defined in the configuration. */
export function entityScopes(entity: EntityNode, subject: Subject): Problem[] {
  return undefinedAmong(scopesOf(entity), subject).map(scope =>
    error('scope', texts.scope(scope), subject.pathOf(entity)),
  )
}

function undefinedAmong(used: readonly string[], subject: Subject): string[] {
  if (used.length === 0) return []
  const defined = new Set(scopeConfiguration(subject)?.scopeDefinitions)
  return [...new Set(used)].filter(scope => !defined.has(scope))
}

function scopeConfiguration({ options: { configuration } }: Subject) {
  return configuration?.configurationBuild.apiScopeConfiguration
}
