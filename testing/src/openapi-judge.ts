import { createConfig, lintFromString } from '@redocly/openapi-core'

/** What a public linter has against a description of an API, warnings included; empty where it finds nothing. */
export async function openApiFaults(description: unknown): Promise<string[]> {
  // What licence the users of a package give its API is theirs to say, and an instance may run on one's own machine.
  const rules = { 'info-license': 'off', 'no-server-example.com': 'off' } as const
  const config = await createConfig({ extends: ['recommended'], rules })
  const found = await lintFromString({ source: JSON.stringify(description), absoluteRef: 'openapi.json', config })
  return found.map(({ severity, ruleId, message, location }) => {
    const [place] = location
    return `${severity} ${ruleId}: ${message} (${place?.pointer ?? ''})`
  })
}
