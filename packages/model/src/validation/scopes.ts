import type { Problem } from '../problem.ts'
import { scopesOf } from '../rules/scope-definition.ts'
import { error, type Subject } from './subject.ts'
import { texts } from './texts.ts'

/** Every scope that is used is defined in the configuration; before one was saved none is. */
export function scopes(subject: Subject): Problem[] {
  const configuration = subject.options.configuration?.configurationBuild.apiScopeConfiguration
  const defined = new Set(configuration?.scopeDefinitions)
  const missing = (used: readonly string[]) => [...new Set(used)].filter(scope => !defined.has(scope))
  const root = subject.manifestPath(subject.closure.root)
  return [
    ...missing(configuration?.globalScopes ?? []).map(scope => error('scope', texts.scope(scope), root)),
    ...subject.closure.entities.flatMap(entity =>
      missing(scopesOf(entity)).map(scope => error('scope', texts.scope(scope), subject.pathOf(entity))),
    ),
  ]
}
