import { createConfig, lintFromString } from '@redocly/openapi-core'

/** The findings of a public linter for an API description, warnings included. */
export async function openApiFaults(description: unknown): Promise<string[]> {
  // Licence and server address depend on the users of a package.
  const rules = { 'info-license': 'off', 'no-server-example.com': 'off' } as const
  const config = await createConfig({ extends: ['recommended'], rules })
  const findings = await lintFromString({ source: JSON.stringify(description), absoluteRef: 'openapi.json', config })
  return findings.map(({ severity, ruleId, message, location }) => {
    const [place] = location
    return `${severity} ${ruleId}: ${message} (${place?.pointer ?? ''})`
  })
}
