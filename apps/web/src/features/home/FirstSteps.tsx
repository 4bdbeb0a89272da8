import { homeTexts } from '@cadmus/model/messages/home'
import { useQuery } from '@tanstack/react-query'
import { GraduationCap, Import, Package2, Plus } from 'lucide-react'
import { manifestPage } from '../../api/lists.ts'
import { keys, scoped } from '../../api/query-client.ts'
import { runCommand } from '../../commands/command.ts'
import type { AppContext } from '../../commands/context.ts'
import { openAt } from '../../commands/DocumentLink.tsx'
import { commandById } from '../../commands/registry.ts'
import { Button } from '../../ui/Button.tsx'
import type { Icon } from '../../ui/Icon.ts'
import styles from './Home.module.css'
import { HomeSection } from './HomeSection.tsx'

/** The manifest of the example data. */
const example = 'Shop'

type Step = { label: string; text: string; icon: Icon; run: () => void }

/** What to begin with, for someone who has no manifest or has not opened anything. */
export function FirstSteps({ context }: { context: AppContext }) {
  const shop = useExample()
  const { title, ...texts } = homeTexts.firstSteps
  const run = (id: string) => () => {
    const command = commandById(id)
    if (command) runCommand(command, context)
  }
  const tryShop: Step = { label: `Try ${example}`, text: texts.shop, icon: Package2, run: () => shop && openAt(shop) }
  const steps: readonly Step[] = [
    { label: 'New Manifest', text: texts.manifest, icon: Plus, run: run('manifest.new') },
    { label: 'Import', text: texts.import, icon: Import, run: run('toolbar.import') },
    ...(shop ? [tryShop] : []),
    { label: 'Take the Tour', text: texts.tour, icon: GraduationCap, run: run('page.onboarding') },
  ]
  return (
    <HomeSection title={title} empty={false}>
      <ul className={styles['steps']}>
        {steps.map(({ label, text, icon, run: begin }) => (
          <li key={label}>
            <Button icon={icon} onClick={begin}>
              {label}
            </Button>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </HomeSection>
  )
}

/** The example, if the organisation has it. */
function useExample() {
  const { data } = useQuery(
    scoped([...keys.manifests, 'example'], async options => {
      const page = { search: example, filter: 'PRIVATE', limit: 1, order: 'match' } as const
      const [first] = (await manifestPage(page, options)).manifests
      return first?.name === example ? first : null
    }),
  )
  return data ? { kind: 'manifest' as const, id: data.id, name: data.name, path: data.location } : null
}
