import { viewTexts } from '@cadmus/model/messages/diagram-views'
import { ChevronDown, Ellipsis, LayoutDashboard, Network } from 'lucide-react'
import type { ReactNode } from 'react'
import { CommandButtons } from '../commands/CommandButtons.tsx'
import { entriesOf } from '../commands/entries.ts'
import { Button } from '../ui/Button.tsx'
import { Menu } from '../ui/Menu.tsx'
import { Toolbar, ToolbarButton } from '../ui/Toolbar.tsx'
import styles from './Diagram.module.css'
import {
  arrangeCommands,
  type DiagramContext,
  lookCommands,
  showCommands,
  undoButtons,
  zoomCommands,
} from './diagram-commands.ts'
import { listCommand, type ListPanel } from './DiagramBody.tsx'
import { FindCard } from './FindCard.tsx'
import { outputCommands } from './output-commands.ts'

const { toolbar: texts } = viewTexts

type DiagramToolbarProps = {
  context: DiagramContext
  /** The menu of views; none for an entity's neighbourhood. */
  views?: ReactNode
  list: ListPanel
  onFound: (card: number, isMore: boolean) => void
}

export function DiagramToolbar({ context, views, list, onFound }: DiagramToolbarProps) {
  return (
    <div className={styles['toolbar']}>
      <Toolbar label={texts.label}>
        <CommandButtons commands={[listCommand]} context={{ list }} />
        {views}
        <CommandButtons commands={undoButtons} context={context} />
        <span className={styles['gap']} />
        <CommandButtons commands={zoomCommands} context={context} />
        <span className={styles['gap']} />
        <Menu
          align="start"
          entries={entriesOf(showCommands, context)}
          trigger={
            <ToolbarButton
              render={
                <MenuButton data-tour="diagram.show" icon={Network}>
                  {texts.show}
                </MenuButton>
              }
            />
          }
        />
        <Menu
          align="start"
          entries={entriesOf(arrangeCommands, context)}
          trigger={
            <ToolbarButton
              render={
                <MenuButton data-tour="diagram.arrange" icon={LayoutDashboard}>
                  {texts.arrange}
                </MenuButton>
              }
            />
          }
        />
        <Menu
          entries={entriesOf([...lookCommands, ...outputCommands], context)}
          trigger={
            <ToolbarButton
              render={
                <Button variant="quiet" icon={Ellipsis}>
                  <span className={styles['word']}>{texts.more}</span>
                </Button>
              }
            />
          }
        />
      </Toolbar>
      <FindCard names={context.state.cards.scene.names} onFound={onFound} />
    </div>
  )
}

function MenuButton({ children, ...rest }: Parameters<typeof Button>[0]) {
  return (
    <Button variant="quiet" {...rest}>
      <span className={styles['word']}>{children}</span>
      <ChevronDown size={14} aria-hidden />
    </Button>
  )
}
