import type { DatabaseType } from '@cadmus/model/database-types'
import { databaseTypes } from '@cadmus/model/database-types'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { uiSettings } from '../providers.tsx'
import { UiSettingsContext } from '../ui/settings.ts'
import { DatabaseTypeSelect } from './DatabaseTypeSelect.tsx'

/** The description of the field, and its value. */
function shown(licensed: readonly DatabaseType[], value: DatabaseType, reason?: string) {
  const field = { label: 'Type', licensed, value, onChange: () => undefined, reason }
  const html = renderToStaticMarkup(
    <UiSettingsContext value={uiSettings}>
      <DatabaseTypeSelect {...field} />
    </UiSettingsContext>,
  )
  const described = /aria-describedby="([^"]+)"/.exec(html)?.[1]
  const description = html.split(`id="${described}"`)[1] ?? ''
  return { description: /^[^>]*>([^<]*)/.exec(description)?.[1], invalid: html.includes('aria-invalid="true"') }
}

it('a database type outside the licence is invalid and shows the reason', () => {
  expect(shown(['hsql', 'oracle'], 'mysql')).toEqual({
    description: 'The licence of the organisation does not include MySQL: it allows HSQL, Oracle.',
    invalid: true,
  })
  expect(shown([], 'mysql').description).toMatch(/does not include MySQL: it allows no database\.$/)
})

it('a select that lists the types of a smaller licence says so, unless it has a reason to be disabled', () => {
  const only = 'The licence of the organisation includes HSQL, Oracle only.'
  expect(shown(['hsql', 'oracle'], 'oracle')).toEqual({ description: only, invalid: false })
  expect(shown(['hsql', 'oracle'], 'oracle', 'Wait.')).toEqual({ description: 'Wait.', invalid: false })
  expect(shown(databaseTypes, 'oracle')).toEqual({ description: undefined, invalid: false })
})
