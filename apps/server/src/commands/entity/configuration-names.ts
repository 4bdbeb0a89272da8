import type { Configuration } from '@cadmus/model/configuration'
import { parseExclusion } from '@cadmus/model/operations'
import { foldName } from '@cadmus/model/paths'

/** What of a configuration names an entity: as which kind, and under which name of its own. */
export type NamedIn = { kind: 'aggregateQuery' | 'excludedOperation' | 'sotEntity'; item: string; entity: string }

/** Every place of the configuration that names an entity. */
export function namesIn({ configurationBuild: build }: Configuration): NamedIn[] {
  return [
    ...build.aggregateQueries.map(({ name, entity }): NamedIn => ({ kind: 'aggregateQuery', item: name, entity })),
    ...build.apiConfiguration.excludeOperations.map((item): NamedIn => ({
      kind: 'excludedOperation',
      item,
      entity: parseExclusion(item)?.entity ?? '',
    })),
    ...build.serviceConfiguration.sotEntities.map((item): NamedIn => ({ kind: 'sotEntity', item, entity: item })),
  ]
}

/** The configuration without what names one of the entities; `names` are folded. */
export function withoutNames(configuration: Configuration, names: ReadonlySet<string>): Configuration {
  const { configurationBuild: build } = configuration
  const stays = (name: string) => !names.has(foldName(name))
  const { apiConfiguration, serviceConfiguration } = build
  const excludeOperations = apiConfiguration.excludeOperations.filter(item => stays(parseExclusion(item)?.entity ?? ''))
  return {
    ...configuration,
    configurationBuild: {
      ...build,
      aggregateQueries: build.aggregateQueries.filter(({ entity }) => stays(entity)),
      apiConfiguration: { ...apiConfiguration, excludeOperations },
      serviceConfiguration: { ...serviceConfiguration, sotEntities: serviceConfiguration.sotEntities.filter(stays) },
    },
  }
}
