import ICAL from "ical.js";
import nodeIcal from "node-ical";

export interface CalendarEvent {
  uid: string;
  sequence: number;
  status: string;
  summary: string;
  location: string;
  description: string;
  start: Date;
  end: Date;
  changed: Date;
}

/** The events of a calendar file, in which two parsers have to see the same. */
export function eventsOf(text: string): CalendarEvent[] {
  const root = new ICAL.Component(ICAL.parse(text));
  const events = root.getAllSubcomponents("vevent").map((component) => readEvent(component));
  const others = Object.values(nodeIcal.sync.parseICS(text)).filter(
    (one) => one?.type === "VEVENT",
  );
  if (others.length !== events.length) throw new Error(`node-ical sees ${others.length} events`);
  for (const [n, other] of others.entries()) {
    const { uid, status, summary, location, description, start, end } = other;
    const same = { ...events[n]!, uid, status, summary, location, description };
    const instants = { start: new Date(start), end: new Date(end!) };
    const [a, b] = [JSON.stringify({ ...same, ...instants }), JSON.stringify(events[n])];
    if (a !== b) throw new Error(`node-ical reads ${a}, ical.js reads ${b}`);
  }
  return events;
}

function readEvent(component: InstanceType<typeof ICAL.Component>): CalendarEvent {
  const event = new ICAL.Event(component);
  const changed = component.getFirstPropertyValue("last-modified") as InstanceType<
    typeof ICAL.Time
  >;
  return {
    uid: event.uid,
    sequence: event.sequence,
    status: String(component.getFirstPropertyValue("status")),
    summary: event.summary,
    location: event.location,
    description: event.description,
    start: event.startDate.toJSDate(),
    end: event.endDate.toJSDate(),
    changed: changed.toJSDate(),
  };
}
