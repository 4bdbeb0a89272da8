import { holds } from '@cadmus/testing/holds'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { queryClient } from '../../api/query-client.ts'
import { uiSettings } from '../../providers.tsx'
import { UiSettingsContext } from '../../ui/settings.ts'
import { nextEntityWizard, openEntityWizard } from './entity-wizard-flow.ts'
import { addCustom, emptyMembers } from './member-list.ts'
import { MemberPicker } from './MemberPicker.tsx'
import { NewAttributes } from './NewAttributes.tsx'

const numbers = Array.from({ length: 101 }, (_, at) => at + 1)

function rowsOf(content: ReactNode): number {
  const html = renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <UiSettingsContext value={uiSettings}>{content}</UiSettingsContext>
    </QueryClientProvider>,
  )
  return html.match(/<tr[^>]*data-row-id/g)?.length ?? 0
}

describe('A page of a table in a wizard', () => {
  it('has 100 of 101 new attributes', holds('E9.2'), () => {
    const state = numbers
      .map(at => ({ type: 'addAttribute', attribute: { name: `attribute_${at}`, dataType: 'string' } }) as const)
      .reduce(nextEntityWizard, openEntityWizard())
    expect(state.attributes).toHaveLength(101)
    expect(rowsOf(<NewAttributes state={state} dispatch={() => undefined} />)).toBe(100)
  })

  it('has 50 of 60 entities of a manifest', holds('M2.97', 'M9.7'), () => {
    const list = numbers.slice(0, 60).reduce((all, at) => addCustom(all, `Gathered${at}`), emptyMembers)
    expect(rowsOf(<MemberPicker list={list} onChange={() => undefined} />)).toBe(50)
  })
})
