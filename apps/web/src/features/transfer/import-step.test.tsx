import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { uiSettings } from '../../providers.tsx'
import { UiSettingsContext } from '../../ui/settings.ts'
import { type ImportDialogEvent, nextImportDialog, openImportDialog } from './import-flow.ts'
import { ImportStep } from './ImportDialog.tsx'

/** The texts of the step after the events, from the choice of a kind on. */
function shown(...events: ImportDialogEvent[]): string {
  const state = events.reduce(nextImportDialog, openImportDialog('manifest'))
  const html = renderToStaticMarkup(
    <UiSettingsContext value={uiSettings}>
      <ImportStep state={state} dispatch={() => undefined} />
    </UiSettingsContext>,
  )
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

const toScripts: ImportDialogEvent[] = [{ type: 'importAs', importAs: 'DATABASE_STRUCTURE' }, { type: 'next' }]

describe('The file of an import', () => {
  it('can be a script that is pasted, of a database that is detected', () => {
    const text = shown(...toScripts)
    expect(text).toContain('Or paste a script')
    expect(text).toMatch(/Database.*Detect/)
  })

  it('shows the chosen database', () => {
    expect(shown(...toScripts, { type: 'database', database: 'oracle' })).toMatch(/Database.*Oracle/)
  })

  it('takes the place of a pasted script', () => {
    const file = new File(['CREATE TABLE t (a int);'], 'shop.sql')
    const text = shown(...toScripts, { type: 'file', file })
    expect(text).toContain('shop.sql')
    expect(text).not.toContain('Or paste a script')
    expect(text).toMatch(/Database.*Detect/)
  })

  it('is a folder without a database for CDM', () => {
    const text = shown({ type: 'importAs', importAs: 'CDM_SCHEMA' }, { type: 'next' })
    expect(text).toContain('Manifest file')
    expect(text).not.toContain('Or paste a script')
    expect(text).not.toContain('Detect')
  })

  it('of another kind has its reason', () => {
    expect(shown(...toScripts, { type: 'file', file: new File(['x'], 'shop.exe') })).toContain('.sql')
  })

  it('with several root manifests offers them', () => {
    const text = shown(
      { type: 'importAs', importAs: 'CDM_SCHEMA' },
      { type: 'next' },
      { type: 'roots', roots: ['a', 'b'] },
    )
    expect(text).toContain('Root manifest')
  })
})
