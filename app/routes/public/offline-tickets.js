/*
 * Runs on the offline page, kept by the service worker: shows the tickets that My Games has saved
 * (routes/saved-tickets.ts), up to the end of each game.
 */
const KEY = "tickets";

const { saved, tickets = [] } = JSON.parse(localStorage.getItem(KEY) ?? "{}");
const next = tickets.filter(({ endsAt }) => Date.parse(endsAt) > Date.now());
if (next.length > 0) showTickets();
else localStorage.removeItem(KEY);

function showTickets() {
  const section = document.querySelector("#tickets");
  section.querySelector("ul").append(...next.map(drawTicket));
  section.querySelector("[data-saved]").append(saved);
  section.hidden = false;
  document.querySelector("#elsewhere").remove();
}

function drawTicket(ticket) {
  const card = document.querySelector("#ticket").content.cloneNode(true);
  for (const part of card.querySelectorAll("[data-if]")) {
    if (!ticket[part.dataset.if]) part.remove();
  }
  for (const slot of card.querySelectorAll("[data-text]")) {
    slot.textContent = ticket[slot.dataset.text];
  }
  const directions = card.querySelector("a");
  if (directions) directions.href = ticket.mapsUrl;
  return card;
}
