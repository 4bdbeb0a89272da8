import type { Locator, Page } from 'playwright-core'
import { entityDocument } from './entity.ts'
import { navigate } from './document.ts'
import { expectShown } from './widgets.ts'

/** Opens an entity of an organisation in the administration by its address. */
export async function openInAdmin(
  page: Page,
  { id, name }: { id: number; name: string },
  { organisation = 'ACME', tab = 'attributes' } = {},
): Promise<Locator> {
  await navigate(page, `/admin?org=${organisation}&entity=${id}&tab=${tab}`)
  await expectShown(entityDocument(page, name))
  return entityDocument(page, name)
}
