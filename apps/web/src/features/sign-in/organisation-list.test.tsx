import { holds } from '@cadmus/testing/holds'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { organisationsOf, type Permission } from '../../api/session-store.ts'
import { OrganisationList } from '../../ui/OrganisationList.tsx'

/** The text of each organisation: initials, name and button. */
function linesOf(permissions: readonly Permission[]): string[] {
  const html = renderToStaticMarkup(
    <OrganisationList
      organisations={organisationsOf(permissions)}
      current="ACME"
      unavailable="No subscription"
      onSelect={() => undefined}
    />,
  )
  return [...html.matchAll(/<li>(.*?)<\/li>/g)].map(([, line = '']) =>
    line
      .replaceAll(/<button[^>]*aria-disabled="true"[^>]*>/g, ' | disabled ')
      .replaceAll(/<(?:span|button)[^>]*>/g, ' | ')
      .replaceAll(/<[^>]*>/g, '')
      .slice(3),
  )
}

describe('The list of organisations', () => {
  it(
    'starts with the highest subscription, and disables organisations without one',
    holds('M2.242', 'M2.244', 'M2.248', 'M2.249'),
    () => {
      const lines = linesOf([
        { oc: 'LOW', on: 'Low', ng: 1 },
        { oc: 'NONE', on: 'A none', ng: 0 },
        { oc: 'ACME', on: 'Acme', ng: 3 },
        { oc: 'HIGH', on: 'High', ng: 20 },
      ])
      expect(lines).toEqual([
        'H | High | Select',
        'A | Acme | Current | Select',
        'L | Low | Select',
        'AN | A none | disabled No subscription',
      ])
    },
  )

  it('distinguishes organisations with the same name by their codes', () => {
    const lines = linesOf([
      { oc: 'ACME', on: 'Acme', ng: 2 },
      { oc: 'ACME2', on: 'Acme', ng: 1 },
      { oc: 'OTHER', on: 'Other', ng: 1 },
    ])
    expect(lines).toEqual(['A | Acme | ACME | Current | Select', 'A | Acme | ACME2 | Select', 'O | Other | Select'])
  })
})
