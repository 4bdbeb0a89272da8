import type { Locator, Page } from 'playwright-core'
import { dialog, press, pick } from './widgets.ts'
import { escaped } from './tree.ts'

/** The open document of an entity. */
export function entityDocument(page: Page, name: string): Locator {
  return page.getByRole('article', { name: `Entity ${name}`, exact: true })
}

export function manifestDocument(page: Page, name: string): Locator {
  return page.getByRole('article', { name: `Manifest ${name}`, exact: true })
}

export function tab(page: Page, name: string): Locator {
  return page
    .getByRole('tablist', { name: 'Open documents' })
    .getByRole('tab', { name: new RegExp(`^${escaped(name)}`) })
}

/** The row of a table with a cell of this text. */
export function row(page: Page, table: string, name: string): Locator {
  return page
    .getByRole('grid', { name: table, exact: true })
    .getByRole('row')
    .filter({
      has: page.getByRole('gridcell', { name: new RegExp(`^(Primary key ?|Relationship ?)?${escaped(name)}$`) }),
    })
    .first()
}

/**
 * The texts in the first column of a table, apart from checkboxes, in their order. Waits for the table, but not for rows.
 * Relationships are listed by their own table alone.
 */
export async function names(page: Page, table: string): Promise<string[]> {
  const grid = page.getByRole('grid', { name: table, exact: true })
  await grid.first().waitFor()
  return grid.locator('tbody tr[data-row-id]:not([data-kind=relationship])').evaluateAll(all =>
    all.map(one => {
      const cells = [...one.querySelectorAll('td')].filter(cell => !cell.querySelector('[role=checkbox]'))
      return (cells[0]?.textContent ?? '').replace('Primary key', '').trim()
    }),
  )
}

/** A cell of the attribute sheet; without a row's name, of its last, empty row. */
export function cell(page: Page, name: string | null, column: string): Locator {
  const grid = page.getByRole('grid', { name: 'Type attributes', exact: true })
  const line = name === null ? grid.locator('tr[data-new]') : row(page, 'Type attributes', name)
  return line.locator(`td[data-column=${column}]`)
}

/** A row of the properties panel by group and label. */
export function property(page: Page, group: string, label: string): Locator {
  return page
    .getByRole('complementary', { name: 'Properties' })
    .getByRole('region', { name: group, exact: true })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: label, exact: true }) })
}

export async function setText(page: Page, group: string, label: string, value: string): Promise<void> {
  const field = property(page, group, label).getByRole('textbox')
  await fillProperty(field, value)
  await field.press('Enter')
}

/**
 * Fills a field of the properties panel, which may still show the row chosen before: it catches up when it gets the
 * focus, and Playwright marks the old text before it focuses the field.
 */
export async function fillProperty(field: Locator, value: string): Promise<void> {
  await field.focus()
  await field.fill(value)
}

export async function addAttribute(page: Page, name: string, dataType = 'string'): Promise<void> {
  await page.getByRole('toolbar', { name: 'Entity' }).getByRole('button', { name: 'Add Attribute' }).click()
  const open = dialog(page, 'New Type Attribute')
  await open.getByLabel('Name').fill(name)
  if (dataType !== 'string') await pick(page, open, 'Data Type', dataType)
  await press(open, 'Finish')
  await open.waitFor({ state: 'detached' })
}
