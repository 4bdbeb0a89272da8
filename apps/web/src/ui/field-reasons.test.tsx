import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { uiSettings } from '../providers.tsx'
import { FilterSelect } from './Combobox.tsx'
import { PropertyTable } from './PropertyTable.tsx'
import { MultiSelect, Select } from './Select.tsx'
import { UiSettingsContext } from './settings.ts'
import { TagInput } from './TagInput.tsx'
import { TextArea } from './TextArea.tsx'
import { TextField } from './TextField.tsx'

const render = (content: ReactNode) =>
  renderToStaticMarkup(<UiSettingsContext value={uiSettings}>{content}</UiSettingsContext>)

const reason = 'Enable it first.'
const field = { label: 'Limit', hint: 'A number.', onChange: () => undefined }
const tags = { value: [], validate: () => null, onAdd: field.onChange, onRemove: field.onChange }

it.each([
  ['text field', <TextField key="" {...field} value="" reason={reason} />],
  ['text area', <TextArea key="" {...field} value="" reason={reason} />],
  ['select', <Select key="" {...field} options={[]} value={null} reason={reason} />],
  ['multiple select', <MultiSelect key="" {...field} options={[]} value={[]} reason={reason} />],
  ['select with a search', <FilterSelect key="" {...field} options={[]} value={null} reason={reason} />],
  ['field for tags', <TagInput key="" label="Limit" {...tags} reason={reason} />],
])('a %s with a reason is disabled, and shows the reason as its description', (_, content) => {
  const html = render(content)
  const described = /aria-describedby="([^"]+)"/.exec(html)?.[1] ?? ''
  expect(html).toContain(`id="${described}"`)
  expect(html).toMatch(new RegExp(`id="${described}"[^>]*>${reason}<`))
  expect(html).toMatch(/ disabled=""| data-disabled=""| aria-disabled="true"/)
  expect(html).not.toContain('A number.')
})

it('a property table with explained terms has one button that shows all explanations, others have none', () => {
  const property = { id: 'name', label: 'Name', editor: 'shown', value: 'Order' } as const
  const explained = { ...property, hint: 'The name in files.' }
  const groups = [
    { id: 'one', title: 'One', properties: [property] },
    { id: 'two', title: 'Two', properties: [explained] },
    { id: 'three', title: 'Three', hint: 'The third group.', properties: [explained] },
  ]
  const buttons = (html: string) => html.match(/<button[^>]*aria-label="Explain terms"[^>]*>/g) ?? []
  const [button, ...others] = buttons(render(<PropertyTable groups={groups} />))
  expect([button, others]).toEqual([expect.stringContaining('aria-pressed="false"'), []])
  expect(buttons(render(<PropertyTable groups={groups.slice(0, 1)} />))).toEqual([])
})
