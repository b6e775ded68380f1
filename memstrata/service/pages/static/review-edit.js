// A form over what an item says; what the server refuses is said in the form, beside what was given.

import { fill, h } from "/pages/dom.js";
import { shown } from "/pages/when.js";

const KINDS = ["started", "holds", "ended", "denied"];
const FIELDS = [
  ["subject", "Subject"],
  ["predicate", "Relation"],
  ["object", "Object"],
  ["fact", "As a sentence"],
  ["valid_at", "True from"],
  ["invalid_at", "Until"],
];

/** The form; `onsave` is given the fields that were changed, `ondone` is called when they were taken, `onleave` when not. */
export function editing(says, { onsave, ondone, onleave }) {
  const given = { ...says, valid_at: written(says.valid_at), invalid_at: written(says.invalid_at) };
  const inputs = Object.fromEntries(FIELDS.map(([name]) => [name, h("input", { type: "text", name, value: given[name] ?? "", maxlength: 2000, autocomplete: "off", placeholder: name.endsWith("_at") ? "2019, 2019-06, 2019-06-14" : null })]));
  inputs.kind = h("select", { name: "kind" }, KINDS.map((one) => h("option", { value: one, selected: one === says.kind }, one)));
  const refusal = h("div", { class: "refusal", role: "alert", hidden: true });
  const leave = () => {
    form.remove();
    onleave();
  };
  const save = h("button", { type: "submit", class: "main" }, "Save and accept");
  const form = h(
    "form",
    { class: "edit", "aria-label": `Edit: ${says.fact}` },
    [...FIELDS.slice(0, 3), ["kind", "Kind"], ...FIELDS.slice(3)].map(([name, title]) => h("label", {}, h("span", {}, title), inputs[name])),
    refusal,
    h("div", { class: "buttons" }, h("button", { type: "button", class: "quiet", onclick: leave }, "Cancel"), save),
  );
  form.addEventListener("keydown", (event) => event.key === "Escape" && leave());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const changes = Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value.trim()]).filter(([name, value]) => value !== (given[name] ?? "")));
    save.disabled = true;
    try {
      await onsave(changes);
      await ondone();
    } catch (error) {
      save.disabled = false;
      fill(refusal, h("p", {}, error.detail ?? error.message), (error.errors ?? []).map((one) => h("p", { class: "small" }, `${one.field}: ${one.problem}`)));
      refusal.hidden = false;
    }
  });
  return form;
}

function written(time) {
  return time ? shown(time.at, time.precision) : "";
}
