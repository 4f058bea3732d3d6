import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { type ReactNode, type Ref, useMemo } from 'react'
import classes from './rules.module.css'

interface SortableRulesProps {
  readonly keys: readonly string[]
  readonly onMove: (from: number, to: number) => void
  /** The height of the rules below those that are drawn, in pixels. */
  readonly below: number
  readonly listRef: Ref<HTMLOListElement>
  readonly children: ReactNode
}

const DRAG_AFTER_PX = 4
// New options on each keystroke would draw every rule again.
const POINTER_OPTIONS = { activationConstraint: { distance: DRAG_AFTER_PX } }
const KEYBOARD_OPTIONS = { coordinateGetter: sortableKeyboardCoordinates }

/** A list whose items can be dragged by their handles: with the pointer, or with Space and the arrows. */
export function SortableRules({ keys, onMove, below, listRef, children }: SortableRulesProps) {
  const sensors = useSensors(
    useSensor(PointerSensor, POINTER_OPTIONS),
    useSensor(KeyboardSensor, KEYBOARD_OPTIONS),
  )
  // A new list would draw every rule again.
  const items = useMemo(() => [...keys], [keys])
  const drop = ({ active, over }: DragEndEvent) => {
    if (over) onMove(keys.indexOf(String(active.id)), keys.indexOf(String(over.id)))
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={drop}
      accessibility={{
        announcements: announcementsFor(keys),
        screenReaderInstructions: {
          draggable:
            'Press Space to lift the rule, the arrows to move it, Space to drop it, Escape to leave it.',
        },
      }}
    >
      <SortableContext items={items} strategy={verticalListSortingStrategy}>
        <ol ref={listRef} className={classes.list} style={{ paddingBottom: below }}>
          {children}
        </ol>
      </SortableContext>
    </DndContext>
  )
}

function announcementsFor(keys: readonly string[]): Announcements {
  const place = (id: string | number): string => `${keys.indexOf(String(id)) + 1} of ${keys.length}`
  return {
    onDragStart: ({ active }) => `Rule ${place(active.id)} is lifted.`,
    onDragOver: ({ over }) => (over ? `Over place ${place(over.id)}.` : undefined),
    onDragEnd: ({ over }) => (over ? `Dropped at place ${place(over.id)}.` : 'Dropped where it was.'),
    onDragCancel: () => 'The rule stays where it was.',
  }
}
