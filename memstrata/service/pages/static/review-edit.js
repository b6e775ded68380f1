// A form over what an item says; what the server refuses is said in the form, beside what was given.

import { fill, h } from "/pages/dom.js";
import { shown } from "/pages/when.js";

const KINDS = ["started", "holds", "ended", "denied"];
const OBJECT_KINDS = ["entity", "literal"];
const FIELDS = [
  ["subject", "Subject"],
  ["subject_type", "Type of the subject"],
  ["predicate", "Relation"],
  ["kind", "Kind"],
  ["object", "Object"],
  ["object_type", "Type of the object"],
  ["object_kind", "The object is"],
  ["confidence", "Confidence"],
  ["fact", "As a sentence"],
  ["valid_at", "True from"],
  ["invalid_at", "Until"],
];
const CHOICES = { kind: KINDS, object_kind: OBJECT_KINDS };
const HINTS = { valid_at: "2019, 2019-06, 2019-06-14", invalid_at: "2019, 2019-06, 2019-06-14", subject_type: "none", object_type: "none", confidence: "from 0 to 1" };

/** The form; `onsave` is given the fields that were changed, `ondone` is called when they were taken, `onleave` when not. */
export function editing(says, { onsave, ondone, onleave }) {
  const given = { ...says, confidence: String(says.confidence), valid_at: written(says.valid_at), invalid_at: written(says.invalid_at) };
  const inputs = Object.fromEntries(FIELDS.map(([name]) => [name, CHOICES[name] ? choice(name, given[name]) : h("input", { type: "text", name, value: given[name] ?? "", maxlength: 2000, autocomplete: "off", inputmode: name === "confidence" ? "decimal" : null, placeholder: HINTS[name] ?? null })]));
  const refusal = h("div", { class: "refusal", role: "alert", hidden: true });
  const leave = () => {
    form.remove();
    onleave();
  };
  const save = h("button", { type: "submit", class: "main" }, "Save and accept");
  const form = h(
    "form",
    { class: "edit", "aria-label": `Edit: ${says.fact}` },
    FIELDS.map(([name, title]) => h("label", {}, h("span", {}, title), inputs[name])),
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

function choice(name, given) {
  return h("select", { name }, CHOICES[name].map((one) => h("option", { value: one, selected: one === given }, one)));
}

function written(time) {
  return time ? shown(time.at, time.precision) : "";
}
